/** The compiled kernel stays small: pages and other languages carry it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

const MAX_GZIP_BYTES = 88_000;

test(`kernel.wasm weighs at most ${MAX_GZIP_BYTES} bytes after gzip -9`, () => {
  const bytes = readFileSync(new URL("../kernel.wasm", import.meta.url));
  const { length } = gzipSync(bytes, { level: 9 });
  assert.ok(length > 10_000 && length <= MAX_GZIP_BYTES, `${length} bytes`);
});
