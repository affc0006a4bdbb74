/** Our Keccak-256 against the library's. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { runs } from "@svc/testkit/runs";
import fc from "fast-check";
import { encodeHex } from "../../src/encoding/hex.ts";
import { keccak256 } from "../../src/objects/anchor/keccak.ts";

/** So many bytes go into the state at once. */
const RATE_BYTES = 136;

test("every length around the ends of blocks hashes as the library has it", () => {
  for (let length = 0; length <= 3 * RATE_BYTES + 1; length++) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 131 + length) % 256);
    assert.equal(encodeHex(keccak256(bytes)), encodeHex(keccak_256(bytes)), `${length} bytes`);
  }
});

test("any bytes hash as the library has it", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
      assert.equal(encodeHex(keccak256(bytes)), encodeHex(keccak_256(bytes)));
    }),
    { numRuns: runs(500) },
  );
});

test("the hash of nothing is the one that Ethereum knows", () => {
  assert.equal(
    encodeHex(keccak256(new Uint8Array())),
    "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
  );
});
