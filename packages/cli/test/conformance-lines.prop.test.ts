/** Bytes cut into any pieces give the same lines, and a line over the cap affects only that line. */
import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { referenceKernel } from "@svc/core";
import { runs } from "@svc/testkit/runs";
import fc from "fast-check";
import { converse } from "../src/conformance/converse.ts";
import { splitLines } from "../src/conformance/lines.ts";

const MAX_BYTES = 8;

async function* pieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  let start = 0;
  for (const end of ends) {
    // A separate piece that is overwritten after it was taken, as a stream may do with its buffer.
    const piece = bytes.slice(start, end);
    yield piece;
    piece.fill(0x0a);
    start = end;
  }
}

/** Returns the lines by the text's definition: the parts between newlines, without an empty last one. */
function naive(bytes: Uint8Array): (string | null)[] {
  const parts = Buffer.from(bytes).toString("latin1").split("\n");
  if (parts.at(-1) === "") parts.pop();
  return parts.map((part) => (part.length > MAX_BYTES ? null : part));
}

test("lines do not depend on how the bytes arrive", async () => {
  const byte = fc.oneof(fc.constant(0x0a), fc.integer({ min: 0, max: 255 }));
  const input = fc.tuple(fc.array(byte, { maxLength: 60 }), fc.array(fc.nat(), { maxLength: 8 }));
  await fc.assert(
    fc.asyncProperty(input, async ([numbers, cuts]) => {
      const bytes = Uint8Array.from(numbers);
      const lines: (string | null)[] = [];
      for await (const line of splitLines(pieces(bytes, cuts), MAX_BYTES))
        lines.push(line === null ? null : Buffer.from(line).toString("latin1"));
      assert.deepEqual(lines, naive(bytes));
    }),
    { numRuns: runs(1000) },
  );
});

test("nothing more is read while nobody takes the answers", async () => {
  let taken = 0;
  let takeNext = () => {};
  const slow = new Writable({
    write: (_chunk, _encoding, done) => {
      taken++;
      takeNext = done;
    },
  });
  let read = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (read = 1; read <= 100; read++) yield new TextEncoder().encode("{}\n");
  }
  const talk = converse(endless(), slow, referenceKernel);
  for (let answered = 1; answered <= 100; answered++) {
    while (taken < answered) await new Promise((resolve) => setImmediate(resolve));
    // Ample turns of the event loop for code that would read ahead.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([taken, read], [answered, answered]);
    takeNext();
  }
  await talk;
});

test("an output that breaks ends the conversation, and with it the reading", async () => {
  let read = 0;
  let isClosed = false;
  async function* long(): AsyncGenerator<Uint8Array> {
    try {
      while (read++ < 100) yield new TextEncoder().encode("{}\n");
    } finally {
      isClosed = true;
    }
  }
  const broken = new Writable({ write: (_chunk, _encoding, done) => done(new Error("EPIPE")) });
  broken.on("error", () => {});
  await converse(long(), broken, referenceKernel);
  assert.deepEqual([read, isClosed], [1, true]);
});
