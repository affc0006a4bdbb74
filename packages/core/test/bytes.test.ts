/** Byte strings are copied right, wherever they lie in memory. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { concatBytes, copyAll, copyBytes, isShared } from "../src/encoding/bytes.ts";
import { encodeHex, encodeLongHex } from "../src/encoding/hex.ts";

/**
 * Returns bytes that differ from their neighbours, in ordinary or shared memory, `start` bytes behind its beginning.
 */
function someBytes(
  length: number,
  start = 0,
  memory: new (length: number) => ArrayBufferLike = ArrayBuffer,
): Uint8Array {
  const bytes = new Uint8Array(new memory(start + length), start);
  for (let at = 0; at < length; at++) bytes[at] = (at * 7 + (at >>> 8)) % 251;
  return bytes;
}

const CHUNK_BYTES = 65_536;

test("concatenated byte strings stand one behind the other", () => {
  assert.deepEqual(concatBytes([]), new Uint8Array());
  assert.deepEqual(concatBytes([Uint8Array.of(1, 2), new Uint8Array(), Uint8Array.of(3)]), Uint8Array.of(1, 2, 3));
});

for (const memory of [ArrayBuffer, SharedArrayBuffer])
  test(`${memory.name}: every length around a chunk, aligned alike and otherwise`, () => {
    for (const length of [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES, 2 * CHUNK_BYTES + 9])
      for (const start of [0, 1, 7, 8])
        for (const at of [0, 3, 7]) {
          const bytes = someBytes(length, start, memory);
          const target = new Uint8Array(length + at + 3).fill(255);
          copyBytes(target, bytes, at);
          const expected = [...Array(at).fill(255), ...bytes, 255, 255, 255];
          assert.ok(Buffer.from(expected).equals(target), `${length} bytes from ${start} to ${at}`);
        }
  });

test("neighbours in one memory, gaps, other memories and an order that goes back", () => {
  const one = someBytes(100);
  const other = someBytes(100).reverse();
  const pieces: readonly (readonly [Uint8Array, number, number])[] = [
    [one, 0, 10],
    [one, 10, 20],
    [one, 20, 30],
    [one, 40, 50],
    [other, 50, 60],
    [other, 60, 60],
    [other, 60, 70],
    [one, 70, 80],
    [one, 60, 70],
    [one, 70, 75],
    [one, 70, 75],
  ];
  const texts = pieces.map(([bytes, start, end]) => bytes.subarray(start, end));
  for (let count = 0; count <= texts.length; count++) {
    const some = texts.slice(0, count);
    const target = new Uint8Array(200).fill(255);
    copyAll(target, some, 5);
    const expected = new Uint8Array(200).fill(255);
    expected.set(concatBytes(some), 5);
    assert.deepEqual(target, expected, `${count} texts`);
  }
});

test("memory that threads can share is recognized", () => {
  assert.equal(isShared(someBytes(1)), false);
  assert.equal(isShared(someBytes(1, 0, SharedArrayBuffer)), true);
});

test("where there is no shared memory none is shared", () => {
  const { SharedArrayBuffer: known } = globalThis;
  try {
    Object.assign(globalThis, { SharedArrayBuffer: undefined });
    assert.equal(isShared(new Uint8Array(1)), false);
  } finally {
    Object.assign(globalThis, { SharedArrayBuffer: known });
  }
});

test("hex of few bytes and of many is lowercase, two digits a byte", () => {
  for (const length of [0, 1, 256, 1024, 1025, 5000]) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 7) % 256);
    const expected = Buffer.from(bytes).toString("hex");
    assert.deepEqual([encodeHex(bytes), encodeLongHex(bytes)], [expected, expected], `${length}`);
  }
});
