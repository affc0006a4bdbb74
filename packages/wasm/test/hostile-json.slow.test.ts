/** Texts that cost as much as possible: each gets an answer, in memory of at most a stated multiple of its length. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { compileKernelSync, KernelInstance } from "../src/index.ts";
import { HOSTILE, type HostileJson } from "./hostile-json.ts";

/** The promise of README.md: bytes of memory for each byte of input, and at the start. */
const BYTES_PER_BYTE = 24;
const BYTES_AT_START = 2 * 2 ** 20;
/** Small enough that all of them take seconds; large enough that anything quadratic takes hours. */
const SIZE = 16_000_000;
/** Memory grows by doubling: the worst sizes are just above a power of two of something. */
const SIZES = Array.from({ length: 12 }, (_, step) => Math.round(1_000_000 * 2 ** (step / 6)));
const LARGE = 100_000_000;

const compiled = compileKernelSync(readFileSync(new URL("../kernel.wasm", import.meta.url)));

function check({ bytes, refused }: HostileJson): void {
  const kernel = new KernelInstance(compiled);
  const status = kernel.call("document_open", bytes.length, (input) => input.set(bytes));
  assert.equal(status & 0xff, refused?.status ?? 0);
  if (refused !== null) assert.equal(kernel.errorOffset(), refused.offset);
  const limit = BYTES_PER_BYTE * bytes.length + BYTES_AT_START;
  assert.ok(kernel.memoryBytes <= limit, `${kernel.memoryBytes / bytes.length} bytes of memory for each byte`);
}

for (const [name, make] of Object.entries(HOSTILE)) test(`${name}, 16 MB`, () => check(make(SIZE)));

test("sizes around every doubling, 1 to 4 MB", () => {
  for (const make of Object.values(HOSTILE)) for (const size of SIZES) check(make(size));
});

for (const name of ["brackets that never close", "one string", "names that differ at the end alone"]) {
  test(`${name}, 100 MB`, () => {
    const make = HOSTILE[name];
    assert.ok(make);
    check(make(LARGE));
  });
}
