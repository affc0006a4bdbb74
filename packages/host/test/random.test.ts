/** Random bytes come from the operating system in portions, and no byte of a portion is given twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../src/ids.ts";
import { randomBytes } from "../src/random.ts";

test("salts of 16 bytes are all different, over many portions, and do not change afterwards", () => {
  const given = Array.from({ length: 5000 }, () => randomBytes(16));
  const texts = given.map((bytes) => Buffer.from(bytes).toString("hex"));
  assert.equal(new Set(texts).size, 5000);
  assert.ok(texts.every((text) => /^[0-9a-f]{32}$/.test(text)));
  randomBytes(4096);
  assert.deepEqual(
    given.map((bytes) => Buffer.from(bytes).toString("hex")),
    texts,
  );
  assert.throws(() => randomBytes(4097), RangeError);
});

test("every byte value comes, about as often as the others", () => {
  const counts = new Array<number>(256).fill(0);
  for (let portion = 0; portion < 64; portion++)
    for (const byte of randomBytes(4096)) counts[byte] = (counts[byte] ?? 0) + 1;
  // 1024 of each are expected, with a standard deviation of 32.
  for (const [byte, count] of counts.entries()) assert.ok(count > 700 && count < 1350, `${byte}: ${count}`);
});

test("identifiers of one process rise", () => {
  const ids = Array.from({ length: 2000 }, () => newId("sev"));
  assert.deepEqual(ids, [...new Set(ids)].sort());
});
