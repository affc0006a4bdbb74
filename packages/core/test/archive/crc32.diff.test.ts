/** The checksum of archives against zlib's, at every length and place at which it takes another way. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 as zlibs } from "node:zlib";
import fc from "fast-check";
import { crc32 } from "../../src/archive/crc32.ts";

/** Every value of a byte occurs, and there are more bytes than several steps take. */
const BYTES = Uint8Array.from({ length: 600 }, (_, at) => (at * 167 + (at >> 8) * 31) & 0xff);

test("short byte strings, wherever they begin in memory", () => {
  for (let start = 0; start < 17; start++)
    for (let length = 0; length <= 100; length++) {
      const bytes = BYTES.subarray(start, start + length);
      assert.equal(crc32(bytes), zlibs(bytes), `${length} bytes from ${start}`);
    }
});

test("what comes in pieces has the checksum of the whole", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(300), (bytes, at) => {
      assert.equal(crc32(bytes.subarray(at), crc32(bytes.subarray(0, at))), zlibs(bytes));
    }),
  );
});

test("the empty checksum, and the largest", () => {
  assert.equal(crc32(new Uint8Array()), 0);
  assert.equal(crc32(BYTES, 0xffffffff), zlibs(BYTES, 0xffffffff));
});
