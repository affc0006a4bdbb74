/** Files that cannot be read say why, in words that every browser has. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readBytes, whyUnread } from "../src/engine/read-bytes.ts";

test("a file that has changed or is gone says so, and any other error keeps its words", () => {
  for (const name of ["NotReadableError", "NotFoundError"])
    assert.match(
      whyUnread(new DOMException("The requested file could not be read", name)),
      /^It has changed, or is gone/,
    );
  assert.equal(whyUnread(new RangeError("too much")), "too much");
});

test("a file above the limit is refused before a byte of it is read", async () => {
  const blob = { size: 1024 ** 3 + 1, arrayBuffer: () => assert.fail("it is read") } as unknown as Blob;
  await assert.rejects(readBytes(blob), /larger than 1073741824 bytes/);
});
