/** Issued objects are hashed by faster code than verified ones: both must read every value alike. */
import assert from "node:assert/strict";
import test from "node:test";
import { type EventInput, type Json, referenceKernel, selectKernel } from "@svc/core";
import { runs } from "@svc/testkit/runs";
import fc from "fast-check";
import { issuingKernel } from "../src/issuing-kernel.ts";
import { prepareEvents } from "../src/streams/prepare-events.ts";
import { canonicalBody } from "../src/streams/request-fingerprint.ts";

const kernel = selectKernel("wasm");
const issuing = issuingKernel(kernel);
const RUNS = { numRuns: runs(2000) };

/** Names and texts with special rules of order or escaping. */
const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("", '\u0000\u001f\b\f\n\r\t"\\/\u2028\u007f', "\ufb33", "\u{1f600}", "é", "\ud800", "\udc00"),
);
const name = fc.oneof(
  text,
  fc.constantFrom("__proto__", "toJSON", "constructor", "10", "9", "007", "-1", "1.5", "a", "b"),
);
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: "medium" },
    text,
    fc.double(),
    fc.integer(),
    fc.constantFrom(null, true, false, undefined, -0, 1e21, 5e-324, 1n, Symbol.iterator, new Date(0), new Map()),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie("value")), { maxLength: 5 }).map((members) => Object.fromEntries(members)),
    fc.dictionary(text, tie("value"), { noNullPrototype: false, maxKeys: 4 }),
  ),
}));

function outcome(canonicalize: () => Uint8Array): string {
  try {
    return Buffer.from(canonicalize()).toString("utf8");
  } catch (error) {
    assert.ok(error instanceof TypeError, String(error));
    return error.message;
  }
}

test("canonicalizes each value as both kernels do, and refuses what they refuse", () => {
  const seen = { refused: 0, made: 0 };
  fc.assert(
    fc.property(anyValue, (value) => {
      const made = outcome(() => issuing.canonicalize(value as Json));
      assert.equal(
        made,
        outcome(() => kernel.canonicalize(value as Json)),
      );
      assert.equal(
        made,
        outcome(() => referenceKernel.canonicalize(value as Json)),
      );
      seen[made.startsWith("not JSON") ? "refused" : "made"] += 1;
    }),
    RUNS,
  );
  assert.ok(seen.refused > runs(100) && seen.made > runs(100), JSON.stringify(seen));
});

test("canonicalizes what nests 64 deep, and refuses 65", () => {
  const nested = (depth: number): Json => (depth === 0 ? 1 : [nested(depth - 1)]);
  for (const depth of [63, 64, 65])
    assert.equal(
      outcome(() => issuing.canonicalize(nested(depth))),
      outcome(() => kernel.canonicalize(nested(depth))),
    );
});

test("hashes as the kernel does", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.constantFrom("event", "head", "payload", "receipt"),
      fc.constantFrom(undefined, "SVC-PROVENANCE-001", "SVC-IVC-RECOMPUTE-001"),
      (bytes, tag, word) => {
        assert.deepEqual(Buffer.from(issuing.sha256(bytes)), Buffer.from(kernel.sha256(bytes)));
        const [made, expected] = [issuing, kernel].map((one) => Buffer.from(one.taggedHash(tag, bytes, word)));
        assert.deepEqual(made, expected);
      },
    ),
  );
  assert.throws(() => issuing.taggedHash("two words", new Uint8Array()), TypeError);
});

test("puts the canonical form of a request together from its canonical payloads", () => {
  const wellFormed = text.filter((value) => value.isWellFormed());
  const input = fc.record({
    source_ref: wellFormed,
    event_type: wellFormed,
    occurred_at: fc.constantFrom("2026-03-01T10:15:30.5+01:00", "2026-03-01T10:15:30Z"),
    payload: fc.dictionary(wellFormed, fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true }),
  });
  fc.assert(
    fc.property(fc.array(input, { minLength: 1, maxLength: 3 }), fc.boolean(), (events, isBatch) => {
      const sent = events.map((event) => ({ ...event, payload: { ...event.payload } })) as EventInput[];
      const taken = isBatch ? sent : sent.slice(0, 1);
      const prepared = prepareEvents(issuing, taken, { isBatch, bytes: new Uint8Array() });
      const [first = assert.fail("no event")] = taken;
      const body = isBatch ? { events: taken } : first;
      assert.equal(canonicalBody(isBatch, prepared), Buffer.from(kernel.canonicalize(body)).toString("utf8"));
    }),
    { numRuns: runs(500) },
  );
});
