/** Hashes under a pepper: earlier releases made stored hashes too, and these must be found again. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { equalHashes, KeyedHash } from "../src/keyed-hash.ts";

const PEPPER = Buffer.alloc(32, 1);

test("a hash is that of the program, the purpose and the value", () => {
  const keyedHash = new KeyedHash<"one" | "other">("svc-any", PEPPER);
  assert.match(keyedHash.hash("one", "value"), /^[0-9a-f]{64}$/);
  const expected = createHmac("sha256", PEPPER).update("svc-any/one\nvalue").digest("hex");
  assert.equal(keyedHash.hash("one", "value"), expected);
  assert.equal(keyedHash.hash("one", Buffer.from("value")), expected);
  const others = [
    keyedHash.hash("other", "value"),
    keyedHash.hash("one", "values"),
    new KeyedHash("svc-other", PEPPER).hash("one", "value"),
    new KeyedHash("svc-any", Buffer.alloc(32, 2)).hash("one", "value"),
  ];
  assert.equal(new Set([expected, ...others]).size, 5);
});

test("a hash is HMAC-SHA256 for values of any length and any characters", () => {
  const keyedHash = new KeyedHash("svc-any", PEPPER);
  for (const length of [0, 1, 54, 55, 56, 63, 64, 65, 119, 1000, 16_383, 16_384, 16_385, 100_000])
    for (const value of ["a".repeat(length), "ß€".repeat(length / 2), Buffer.alloc(length, 0xff)])
      assert.equal(
        keyedHash.hash("one", value),
        createHmac("sha256", PEPPER).update("svc-any/one\n").update(value).digest("hex"),
        `${length}`,
      );
});

test("hashes are equal where all of their bytes are, and never where one is shorter or longer", () => {
  const hash = "ab".repeat(32);
  assert.equal(equalHashes(hash, `${hash}`), true);
  assert.equal(equalHashes(hash, `${"ab".repeat(31)}ac`), false);
  for (const part of ["", "ab".repeat(31), `${hash}00`]) assert.equal(equalHashes(hash, part), false);
});
