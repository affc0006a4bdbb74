/**
 * Inflating against zlib: everything that zlib packs, in every way, comes out again; streams that zlib refuses are
 * refused; and those that both accept have the same content. Both kernels inflate each.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import { runs } from "@svc/testkit/runs";
import fc from "fast-check";
import { inflated } from "./inflated.ts";

const { Z_DEFAULT_STRATEGY, Z_FILTERED, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE } = constants;
const STRATEGIES = Object.entries({ Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED });
const LEVELS = [0, 1, 6, 9];

/** From one changed bit to the next. Odd, so that each bit of a byte has its turn. */
const STEP = runs(10) === 10 ? 1 : 9;

/** The distances of copies: long ones, and those that reach into themselves, are made in another way. */
const PERIODS = [1, 2, 3, 63, 64, 65, 257, 258, 259, 32_768];

/** Yields contents of many sorts: random, repetitive, skewed, of few symbols, periodic, long. */
function* contents(): Generator<Uint8Array> {
  let state = 1;
  const next = () => {
    state = (state * 1103515245 + 12345) >>> 0;
    return state >>> 8;
  };
  for (const length of [
    0, 1, 2, 3, 257, 258, 259, 1000, 32_767, 32_768, 32_769, 65_536, 98_303, 98_304, 98_305, 300_000,
  ])
    for (const symbols of [1, 2, 3, 20, 256])
      yield Uint8Array.from({ length }, () => {
        const value = next();
        // Skewed, so that codes have many lengths, up to the longest.
        return symbols === 20 ? Math.clz32(value) * 7 : value % symbols;
      });
  for (const period of PERIODS) {
    const once = Uint8Array.from({ length: period }, () => next() % 256);
    // Stretches of many lengths, each followed by bytes that do not repeat it.
    const parts = Array.from({ length: 70 }, (_, at) => {
      const repeated = Uint8Array.from({ length: period + 4 * at }, (_, place) => once[place % period] as number);
      return Buffer.concat([repeated, Uint8Array.of(next() % 256)]);
    });
    yield Buffer.concat(parts).subarray(0, 200_000);
  }
  const far = new Uint8Array(70_000).map((_, at) => (at < 300 || at > 32_700 + 300 ? at % 251 : (at * at) % 256));
  yield far;
}

for (const [name, strategy] of STRATEGIES)
  test(`what zlib packs by ${name} comes out again, in pieces that are not too large`, () => {
    let count = 0;
    for (const content of contents())
      for (const level of LEVELS) {
        const packed = deflateRawSync(content, { level, strategy });
        const out = inflated(packed, content.length);
        assert.ok(out?.equals(content), `${content.length} bytes, level ${level}`);
        count++;
      }
    assert.ok(count > 300);
  });

test("another size than the stream's is refused, and what is cut off or goes on", () => {
  for (const content of contents()) {
    const packed = new Uint8Array(deflateRawSync(content));
    assert.equal(inflated(packed, content.length + 1), null);
    if (content.length > 0) assert.equal(inflated(packed, content.length - 1), null);
    assert.equal(inflated(packed.slice(0, -1), content.length), null);
    assert.equal(inflated(Buffer.concat([packed, Uint8Array.of(0)]), content.length), null);
  }
});

for (const [name, strategy] of STRATEGIES)
  test(`of streams by ${name} with a changed bit, what zlib refuses is refused, and what both accept is the same`, () => {
    let accepted = 0;
    for (const content of [
      Buffer.from("so it goes, so it goes, so it goes; and so on"),
      Buffer.alloc(600, "abcabcab\u0001"),
    ]) {
      const packed = new Uint8Array(deflateRawSync(content, { strategy }));
      for (let bit = 0; bit < 8 * packed.length; bit += STEP) {
        const changed = packed.with(bit >> 3, (packed[bit >> 3] ?? 0) ^ (1 << (bit & 7)));
        if (areSame(changed)) accepted++;
      }
    }
    assert.ok(accepted > 0);
  });

test("of random streams likewise", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 }), fc.uint8Array({ maxLength: 200 }), (kind, bytes) => {
      // The last block, of each kind.
      areSame(Uint8Array.of(((bytes[0] ?? 0) & ~7) | 1 | (kind << 1), ...bytes.slice(1)));
    }),
    { numRuns: runs(20_000) },
  );
});

test("of streams longer than what is passed to the kernel at once likewise, changed at every border", () => {
  let state = 7;
  const next = () => {
    // Xorshift: what repeats itself would be packed to nothing.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 8;
  };
  // Hardly compressible, so that the stream is long; in blocks of every kind.
  const content = Uint8Array.from({ length: 250_000 }, (_, at) => (at % 90_000 < 30_000 ? next() % 256 : next() % 60));
  let accepted = 0;
  for (const { level, strategy } of [{ level: 1 }, { level: 9 }, { strategy: Z_FIXED }, { level: 0 }]) {
    const packed = new Uint8Array(deflateRawSync(content, { level, strategy: strategy ?? Z_DEFAULT_STRATEGY }));
    assert.ok(packed.length > 3 * 65_536 - 30_000, `${packed.length}`);
    for (let border = 65_536; border < packed.length; border += 65_536)
      for (let from = -12; from < 4; from++) {
        const at = border + from;
        const changed = packed.with(at, (packed[at] ?? 0) ^ (1 << (next() % 8)));
        const theirs = byZlib(changed)?.content;
        if (theirs !== undefined) accepted++;
        const ours = inflated(changed, theirs?.length ?? content.length);
        const where = `level ${level}, byte ${at}`;
        // Stricter than zlib in one thing only: a bit that changes nothing. A failed deepEqual would print all bytes.
        if (theirs === undefined) assert.ok(ours === null, where);
        else assert.ok(theirs.equals(ours ?? content), where);
      }
  }
  assert.ok(accepted > 0);
});

/** Compares our answer on a stream with zlib's. Returns whether both accept it. */
function areSame(packed: Uint8Array): boolean {
  const theirs = byZlib(packed)?.content;
  if (theirs === undefined) {
    // Its size cannot be known, so all sizes that so short a stream could have are tried.
    for (const size of [0, 1, 45, 600, 5000]) assert.equal(inflated(packed, size), null);
    return false;
  }
  const ours = inflated(packed, theirs.length);
  if (ours === null) {
    // Stricter than zlib in one thing only.
    assert.deepEqual(inflated(withoutIdleBits(packed), theirs.length), theirs, Buffer.from(packed).toString("hex"));
    return false;
  }
  assert.deepEqual(ours, theirs);
  return true;
}

/** Returns a stream that zlib takes without the bits that change nothing in its content. */
function withoutIdleBits(packed: Uint8Array): Uint8Array {
  const taken = byZlib(packed) ?? assert.fail();
  let stream = packed.slice(0, taken.bytesRead);
  for (let bit = 0; bit < 8 * stream.length; bit++) {
    const cleared = stream.with(bit >> 3, (stream[bit >> 3] ?? 0) & ~(1 << (bit & 7)));
    const other = byZlib(cleared);
    if (other?.bytesRead === taken.bytesRead && other.content.equals(taken.content)) stream = cleared;
  }
  return stream;
}

/** Returns what zlib gives, and how much of the stream it reads; null if it refuses. */
function byZlib(packed: Uint8Array): { readonly content: Buffer; readonly bytesRead: number } | null {
  try {
    const { buffer, engine } = inflateRawSync(packed, { maxOutputLength: 2 ** 20, info: true }) as unknown as Informed;
    return { content: buffer, bytesRead: engine.bytesWritten };
  } catch {
    return null;
  }
}

/** The answer of zlib that is asked for information. */
interface Informed {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}
