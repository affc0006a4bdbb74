/** The comparison of a table with its expected lines, in any pieces, against one of the two as wholes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runs } from "@svc/testkit/runs";
import fc from "fast-check";
import { encodeInto, encodeUtf8 } from "../src/encoding/utf8.ts";
import { compareLines } from "../src/objects/truth-package/compare.ts";

const RUNS = { numRuns: runs(2000) };

/** Lines of all lengths, with characters of one to four bytes, some of which begin alike. */
const line = fc
  .oneof(
    fc.string({ unit: "grapheme", maxLength: 12 }),
    fc.constantFrom("", "a", "ab", "é", "ê", "ab".repeat(500), "\u{1f600}".repeat(90)),
  )
  .map((text) => `${text.toWellFormed().replaceAll("\n", "")}\n`);
const lines = fc.array(line, { maxLength: 8 });

/** Returns the number of the line with the first byte that differs or is missing; null without one. */
function firstDifference(expected: readonly string[], table: Uint8Array): number | null {
  const bytes = encodeUtf8(expected.join(""));
  if (Buffer.from(bytes).equals(table)) return null;
  let at = 0;
  while (at < bytes.length && bytes[at] === table[at]) at++;
  return bytes.subarray(0, at).filter((byte) => byte === 0x0a).length + 1;
}

function found(expected: readonly string[], pieces: readonly Uint8Array[]): number | null {
  const { take, difference } = compareLines(expected);
  // A piece is only valid until it was taken.
  for (const piece of pieces) {
    const memory = Uint8Array.from(piece);
    take(memory);
    memory.fill(0);
  }
  return difference();
}

/** Cuts bytes at some places, into pieces that may be empty. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

test("the same lines, and lines with a part cut out, changed or added, in any pieces", () => {
  const seen = new Set<string>();
  const edit = fc.record({ at: fc.nat(), gone: fc.nat(3), put: fc.uint8Array({ maxLength: 3 }) });
  fc.assert(
    fc.property(lines, fc.option(edit), fc.array(fc.nat(), { maxLength: 6 }), (expected, change, places) => {
      const bytes = [...encodeUtf8(expected.join(""))];
      if (change !== null) bytes.splice(change.at % (bytes.length + 1), change.gone, ...change.put);
      const table = Uint8Array.from(bytes);
      const difference = firstDifference(expected, table);
      seen.add(difference === null ? "same" : difference > expected.length ? "behind" : "inside");
      assert.equal(found(expected, cut(table, places)), difference);
    }),
    RUNS,
  );
  assert.deepEqual([...seen].sort(), ["behind", "inside", "same"]);
});

test("a text is encoded the same in memory of others, whatever they were", () => {
  fc.assert(
    fc.property(lines, (texts) => {
      let bytes: Uint8Array = new Uint8Array();
      for (const text of texts) {
        bytes = encodeInto(text, bytes);
        assert.deepEqual(bytes, encodeUtf8(text));
      }
    }),
    RUNS,
  );
});
