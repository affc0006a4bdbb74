/**
 * Inflating, rule by rule (RFC 1951): streams made by hand, each with one fault and refused, or at a limit and
 * accepted. zlib reads each as well, which shows that each stream is what it is meant to be.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { deflateStored, joined } from "@svc/testkit/evidence/build-zip";
import {
  block,
  canonical,
  codes,
  expanded,
  FIXED,
  lengths,
  number,
  packed,
  type Stated,
} from "@svc/testkit/evidence/deflate-bits";
import { kernels } from "../kernel/kernels.ts";
import { inflated } from "./inflated.ts";

const LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115];
/** The start of each distance symbol, and the number of bits that follow it (section 3.2.5). */
const DISTANCES = Array.from({ length: 30 }, (_, symbol): [base: number, bits: number] => {
  const bits = symbol < 2 ? 0 : (symbol >> 1) - 1;
  return [symbol < 2 ? 1 + symbol : 1 + (2 + (symbol & 1)) * 2 ** bits, bits];
});
const END = FIXED.literals[256] ?? "";
const A = FIXED.literals[97] ?? "";

/** Both kernels and zlib refuse the stream. */
function refused(stream: Uint8Array, sizeBytes: number): void {
  assert.equal(inflated(stream, sizeBytes), null);
  assert.throws(() => inflateRawSync(stream), "zlib accepts it");
}

/** Both kernels refuse the stream, and zlib does not see what is wrong with it. */
function refusedHere(stream: Uint8Array, sizeBytes: number): void {
  assert.equal(inflated(stream, sizeBytes), null);
  assert.equal(inflateRawSync(stream).length, sizeBytes, "by zlib");
}

/** All readers unpack the stream to these bytes. */
function accepted(stream: Uint8Array, bytes: Uint8Array | string): void {
  const expected = Buffer.from(bytes);
  assert.deepEqual(inflateRawSync(stream), expected, "by zlib");
  assert.deepEqual(inflated(stream, expected.length), expected);
}

/** Copies bytes that are before, in a block with fixed codes. */
function copied(length: number, distance: number): string {
  const own = LENGTH_BASE.findLastIndex((base) => base <= length);
  const which = length === 258 ? 28 : length >= 131 ? 24 + ((length - 131) >> 5) : own;
  const base = which < 24 ? (LENGTH_BASE[which] ?? 0) : 131 + 32 * (which - 24);
  const bits = which < 8 || which === 28 ? 0 : (which >> 2) - 1;
  return `${FIXED.literals[257 + which]}${which === 28 ? "" : number(length - base, bits)}${distanceOf(distance)}`;
}

function distanceOf(distance: number): string {
  const symbol = DISTANCES.findLastIndex(([base]) => base <= distance);
  const [base, bits] = DISTANCES[symbol] ?? [0, 0];
  return `${FIXED.distances[symbol]}${number(distance - base, bits)}`;
}

/** Codes of one bit for "a" and the end, and the given distances. */
const FEW = lengths(257, { 97: 1, 256: 1 });
const FEW_CODES = { a: "0", end: "1" } as const;

test("a stream that ends early is refused wherever it ends", () => {
  refused(new Uint8Array(), 0);
  refused(packed(block(1), A), 1);
  refused(packed(block(0)), 0);
  refused(deflateStored(Uint8Array.of(1, 2, 3)).slice(0, -1), 3);
  refused(deflateStored(new Uint8Array()).slice(0, -1), 0);
  refused(packed(block(2), number(0, 5)), 0);
});

test("a block is of three kinds, and the last one says so", () => {
  refused(packed(block(3), "0".repeat(60)), 0);
  accepted(packed(block(1, false), A, END, block(1), A, END), "aa");
  accepted(packed(block(1, false), A, END, block(2, false), codes(FEW, [0]), "01", block(1), END), "aa");
  refused(packed(block(1, false), A, END), 1);
});

test("a stored block begins at a byte, states its length twice, and may be empty", () => {
  accepted(deflateStored(new Uint8Array()), "");
  accepted(deflateStored(new Uint8Array(65_535)), new Uint8Array(65_535));
  // Behind 21 bits.
  const stored = (gap: string) =>
    packed(block(1, false), A, END, block(0), gap, number(2, 16), number(~2, 16), "00001111".repeat(2));
  accepted(stored("000"), Uint8Array.of(97, 0xf0, 0xf0));
  for (const gap of ["100", "010", "001"]) refusedHere(stored(gap), 3);
  for (const bit of [0, 1, 7, 8, 15])
    refused(packed(block(0), "00000", number(2, 16), number(~2 ^ (1 << bit), 16), "0".repeat(16)), 2);
  refused(packed(block(0), "00000", number(2, 16), number(2, 16), "0".repeat(16)), 2);
});

test("what is behind the last block is refused: bits that are not zero, and bytes", () => {
  for (let more = 0; more < 8; more++) {
    const stream = `${block(1)}${A.repeat(more)}${END}`;
    accepted(packed(stream), "a".repeat(more));
    const gap = (8 - (stream.length % 8)) % 8;
    for (let bit = 0; bit < gap; bit++) refusedHere(packed(stream, "0".repeat(bit), "1"), more);
    for (const behind of [[0], [1], [0, 0, 0], [0, 0, 0, 0, 0]])
      refusedHere(Uint8Array.of(...packed(stream), ...behind), more);
  }
  refusedHere(Uint8Array.of(...deflateStored(Uint8Array.of(1)), 0), 1);
});

test("codes that are too many or too few are refused; a single one of one bit may stand alone, but for code lengths", () => {
  const withCodes = (literals: Record<number, number>, distances: readonly number[] = [0]) =>
    packed(block(2), codes(lengths(257, literals), distances), "0".repeat(20));
  refused(withCodes({ 0: 1, 97: 1, 256: 1 }), 0);
  refused(withCodes({ 0: 1, 97: 2, 98: 2, 256: 15 }), 0);
  refused(withCodes({ 97: 1, 256: 1 }, [1, 1, 1]), 0);
  refused(withCodes({ 97: 2, 98: 2, 256: 2 }), 0);
  refused(withCodes({ 256: 2 }), 0);
  refused(withCodes({ 256: 15 }), 0);
  refused(withCodes({ 97: 1, 256: 2 }), 0);
  refused(withCodes({ 97: 1, 256: 1 }, [2]), 0);
  refused(withCodes({ 97: 1, 256: 1 }, [1, 2]), 0);
  accepted(packed(block(2), codes(lengths(257, { 256: 1 }), [0]), "0"), "");
  accepted(packed(block(2), codes(FEW, [1]), FEW_CODES.a, FEW_CODES.end), "a");
  const single = { ofLengths: lengths(19, { 1: 1 }) };
  refused(packed(block(2), codes([], [], { ...single, literals: 0, distances: 0 }), "0".repeat(300)), 0);
  const three = { ofLengths: lengths(19, { 0: 1, 1: 1, 2: 1 }), literals: 0, distances: 0 };
  refused(packed(block(2), codes([], [], three), "0".repeat(300)), 0);
  const none = { ofLengths: lengths(19, {}), literals: 0, distances: 0 };
  refused(packed(block(2), codes([], [], none), "0".repeat(300)), 0);
});

test("a block states at most 286 symbols of one sort and 30 of the other, and one for its end", () => {
  const most = lengths(286, { 97: 1, 256: 1 });
  accepted(packed(block(2), codes(most, lengths(30, { 0: 1 })), "01"), "a");
  for (const count of [287, 288]) refused(packed(block(2), codes(lengths(count, { 97: 1, 256: 1 }), [0]), "01"), 1);
  for (const count of [31, 32]) refused(packed(block(2), codes(FEW, lengths(count, { 0: 1 })), "01"), 1);
  refused(packed(block(2), codes(lengths(257, { 97: 1, 98: 1 }), [0]), "0000"), 1);
});

/** Returns a block with these codes and these symbols; the lengths of both codes are stated in one run. */
function own(stated: readonly Stated[], distances: number, symbols: readonly number[]): Uint8Array {
  const literals = expanded(stated).slice(0, 257);
  const text = codes(stated, [], { literals: 0, distances: distances - 1 });
  return packed(block(2), text, ...symbols.map((symbol) => canonical(literals)[symbol] ?? ""));
}

test("lengths of codes are repeated as often as is said, over the border between both codes, and not past the last", () => {
  const zeros = (count: number) => lengths(count, {});
  for (const [symbol, more, count] of [
    [17, 0, 3],
    [17, 7, 10],
    [18, 0, 11],
    [18, 127, 138],
  ] as const)
    for (const before of [0, 1, 100])
      accepted(
        own([...zeros(before), [symbol, more], ...zeros(255 - before - count), 1, 1, 0], 1, [255, 256]),
        Uint8Array.of(255),
      );
  for (const [more, count] of [
    [0, 3],
    [3, 6],
  ] as const) {
    const fours = Array.from({ length: 14 - count }, () => 4);
    accepted(
      own([4, [16, more], ...fours, ...zeros(241), 4, 0], 1, [0, 1, count, count + 1, 14, 256]),
      Uint8Array.of(0, 1, count, count + 1, 14),
    );
  }
  accepted(own([[17, 0], [16, 3], ...zeros(246), 1, 1, 0], 1, [255, 256]), Uint8Array.of(255));
  const over = [...zeros(253), 2, [16, 3]] as const;
  accepted(own([...over, 2], 4, [253, 254, 255, 256]), Uint8Array.of(253, 254, 255));
  refused(own(over, 2, [256]), 0);
  for (const [symbol, more, count] of [
    [17, 0, 3],
    [18, 0, 11],
  ] as const) {
    const stated = [...zeros(255), 1, 1, [symbol, more]] as const;
    accepted(own(stated, count, [255, 256]), Uint8Array.of(255));
    refused(own(stated, count - 1, [256]), 0);
  }
});

test("a repeat of nothing is refused", () => {
  refused(own([[16, 0], ...lengths(252, {}), 1, 1, 0], 1, [256]), 0);
});

test("the lengths of codes for code lengths are in their order, and as many as are said", () => {
  // A bit each for the lengths 0 and 1; of the lengths in the block, 1 is the last but one.
  const ofLengths = lengths(19, { 0: 1, 1: 1 });
  accepted(packed(block(2), codes(FEW, [0], { ofLengths, stated: 14 }), "01"), "a");
  const literals = lengths(257, { 97: 8, 98: 8, 99: 7, 100: 6, 101: 5, 102: 4, 103: 3, 104: 2, 256: 1 });
  const four = lengths(19, { 18: 2, 17: 2, 16: 2, 0: 2 });
  refused(
    packed(
      block(2),
      codes(
        [
          [18, 127],
          [18, 108],
        ],
        [0],
        { ofLengths: four, stated: 0 },
      ),
      "0".repeat(9),
    ),
    0,
  );
  const all = canonical(literals);
  accepted(packed(block(2), codes(literals, [0]), all[97] ?? "", all[104] ?? "", all[99] ?? "", all[256] ?? ""), "ahc");
});

test("codes have up to 15 bits", () => {
  const literals = lengths(257, {
    ...Object.fromEntries(Array.from({ length: 14 }, (_, at) => [at, at + 1])),
    14: 15,
    256: 15,
  });
  const symbols = Array.from({ length: 15 }, (_, at) => at);
  accepted(
    own([...literals, 0], 1, [...symbols, ...symbols.toReversed(), 256]),
    Uint8Array.from([...symbols, ...symbols.toReversed()]),
  );
  const same = lengths(257, { 5: 10, 6: 10, 7: 9, 8: 8, 9: 7, 10: 6, 11: 5, 12: 4, 13: 3, 14: 2, 256: 1 });
  accepted(own([...same, 0], 1, [5, 6, 7, 8, 6, 5, 256]), Uint8Array.of(5, 6, 7, 8, 6, 5));
});

test("an invalid symbol is refused: behind the codes, as a length, as a distance", () => {
  refused(packed(block(2), codes(lengths(257, { 256: 1 }), [0]), "1", "0".repeat(20)), 0);
  const withLength = lengths(258, { 97: 2, 256: 2, 257: 1 });
  const [a = "", three = ""] = [canonical(withLength)[97], canonical(withLength)[257]];
  refused(packed(block(2), codes(withLength, [0]), a, three, "0".repeat(30)), 4);
  refused(packed(block(2), codes(withLength, [1]), a, three, "1", "0".repeat(30)), 4);
  accepted(packed(block(2), codes(withLength, [1]), a, three, "0", canonical(withLength)[256] ?? ""), "aaaa");
  // Near the ends, and far from them, where several symbols are read at once.
  for (const [bits, sizeBytes] of [
    [40, 4],
    [4000, 1000],
  ] as const) {
    const rest = "0".repeat(bits);
    for (const symbol of [286, 287]) refused(packed(block(1), A, FIXED.literals[symbol] ?? "", rest), sizeBytes);
    for (const symbol of [30, 31])
      refused(packed(block(1), A, FIXED.literals[257] ?? "", FIXED.distances[symbol] ?? "", rest), sizeBytes);
  }
});

test("every length is copied, from every distance that a symbol begins or ends with", () => {
  for (let length = 3; length <= 258; length++)
    accepted(packed(block(1), A, copied(length, 1), FIXED.literals[98] ?? "", END), `${"a".repeat(1 + length)}b`);
  const past = Uint8Array.from({ length: 32_768 }, (_, at) => (at * at) >> 5);
  const stored = deflateStored(past).with(0, 0);
  for (const [base, bits] of DISTANCES)
    for (const distance of [base, base + 2 ** bits - 1]) {
      const copy = Array.from({ length: 5 }, (_, at) => past[32_768 - distance + (at % distance)] ?? 0);
      accepted(joined(stored, packed(block(1), copied(5, distance), END)), Uint8Array.of(...past, ...copy));
    }
});

test("where nothing comes out, no piece is handed out", () => {
  const pieces: Uint8Array[] = [];
  for (const { inflate } of kernels)
    for (const stream of [packed(block(1), END), deflateStored(new Uint8Array())])
      assert.ok(inflate(stream, 0, (piece) => pieces.push(piece)));
  assert.deepEqual(pieces, []);
});

test("a copy from before the beginning is refused, and one from the beginning is not", () => {
  refused(packed(block(1), copied(3, 1), END), 3);
  for (const count of [1, 4, 5]) {
    accepted(packed(block(1), A.repeat(count), copied(3, count), END), "a".repeat(count + 3));
    refused(packed(block(1), A.repeat(count), copied(3, count + 1), END), count + 3);
  }
  const short = deflateStored(new Uint8Array(32_767)).with(0, 0);
  refused(joined(short, packed(block(1), copied(3, 32_768), END)), 32_770);
});

test("a stream gives exactly as many bytes as are declared, whatever gives the last of them", () => {
  const streams = [
    packed(block(1), A, A, A, A, END),
    packed(block(1), A, copied(3, 1), END),
    deflateStored(Buffer.from("aaaa")),
  ];
  for (const stream of streams) {
    accepted(stream, "aaaa");
    for (const size of [0, 1, 3, 5]) assert.equal(inflated(stream, size), null, `${size}`);
  }
});

test("the past is kept as far as a copy reaches, however much comes out, and pieces are not too large", () => {
  const size = 400_000;
  const parts: string[] = [];
  const expected = new Uint8Array(size);
  let filled = 0;
  // Copies of odd lengths from the farthest place, so that the buffer is moved when it is full.
  const past = Uint8Array.from({ length: 32_768 }, (_, at) => (at * 7919) >> 6);
  expected.set(past);
  filled = past.length;
  for (let turn = 0; filled + 258 <= size; turn++) {
    const [length, distance] = [3 + ((turn * 37) % 256), turn % 3 === 0 ? 1 + (turn % 32_768) : 32_768];
    parts.push(copied(length, distance));
    for (let at = 0; at < length; at++, filled++) expected[filled] = expected[filled - distance] ?? 0;
  }
  const stream = joined(deflateStored(past).with(0, 0), packed(block(1), ...parts, END));
  accepted(stream, expected.slice(0, filled));
});

test("streams may be inflated while another one is, and after one whose receiver failed", () => {
  const contents = [90_000, 200_000, 5].map((length, at) => Buffer.alloc(length, `so it goes ${at} `));
  const streams = contents.map((content) => deflateRawSync(content));
  for (const { name, inflate, sha256 } of kernels) {
    const found: Buffer[][] = contents.map(() => []);
    const inside = (at: number) => {
      const stream = streams[at];
      if (stream === undefined) return;
      const isGood = inflate(stream, contents[at]?.length ?? 0, (piece) => {
        found[at]?.push(Buffer.from(piece));
        sha256(piece);
        if (found[at]?.length === 1) inside(at + 1);
      });
      assert.ok(isGood, name);
    };
    inside(0);
    assert.deepEqual(
      found.map((pieces) => Buffer.concat(pieces)),
      contents,
      name,
    );
    const failing = () => {
      throw new RangeError("no room");
    };
    assert.throws(() => inflate(streams[0] ?? assert.fail(), 90_000, failing), /no room/, name);
    inside(2);
    assert.deepEqual(
      Buffer.concat(found[2] ?? []),
      Buffer.concat([contents[2] ?? "", contents[2] ?? ""] as Buffer[]),
      name,
    );
  }
});
