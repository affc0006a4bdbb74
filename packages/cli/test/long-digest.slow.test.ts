/** The digests and checksums of `svc` for more bytes than Node hashes in one call: packages have up to 4 GiB. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { crc32 } from "@svc/core";
import { startKernel } from "../src/start-kernel.ts";

const PIECE_BYTES = 2 ** 26;

test("2 GiB and more have the digest and the checksum of their pieces", () => {
  const bytes = new Uint8Array(2 ** 31 + 5);
  for (const at of [0, 2 ** 30 - 1, 2 ** 30, 2 ** 31 - 1, 2 ** 31, bytes.length - 1]) bytes[at] = 1 + (at % 251);
  const inPieces = createHash("sha256");
  let checksum = 0;
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const piece = bytes.subarray(at, at + PIECE_BYTES);
    inPieces.update(piece);
    checksum = crc32(piece, checksum);
  }
  const digest = inPieces.digest("hex");
  const kernel = startKernel("wasm");
  const hasher = kernel.hasher();
  hasher.update(bytes);
  assert.equal(Buffer.from(hasher.digest()).toString("hex"), digest);
  assert.equal(Buffer.from(kernel.sha256(bytes)).toString("hex"), digest);
  assert.equal(kernel.crc32?.(bytes), checksum);
});
