/**
 * Redaction: anybody who holds evidence may leave payloads out, and everything else verifies as before. The report
 * counts the payloads that are gone.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import fc from "fast-check";
import {
  crossCheck,
  issueStreamSegment,
  type Json,
  pinKeys,
  portableReceiptOf,
  type Redactable,
  type Report,
  redact,
  referenceKernel,
} from "../src/index.ts";

const kernel = referenceKernel;
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
const EVENTS = 5;
const evidence = await issueStream(EVENTS, { perWindow: 2, perCheckpoint: 2 });
const bundle = await bundleOf(evidence);
const segment = issueStreamSegment(evidence.records);
const [record] = evidence.records;
assert.ok(record !== undefined);
const portable = portableReceiptOf(kernel, bundle, 3);

function verified(object: Redactable): Report {
  const { report, cross_check } = crossCheck(kernel.canonicalize(JSON.parse(JSON.stringify(object)) as Json), {
    trust,
  });
  assert.deepEqual(cross_check.first_difference, null);
  assert.equal(report.verdict, "verified", JSON.stringify(report.problems[0]));
  return report;
}

/** Returns the part of a report that redaction may not change: everything but the payloads. */
function unpayloaded({ checks, assurance, verdict }: Report): unknown {
  const others = checks.filter(({ id }) => id !== "payload_hash");
  return { verdict, checks: others, assurance: { ...assurance, redacted: 0 } };
}

function subsets(count: number): number[][] {
  return Array.from({ length: 2 ** count }, (_, bits) =>
    Array.from({ length: count }, (_, index) => index + 1).filter((no) => bits & (1 << (no - 1))),
  );
}

for (const [name, object] of [
  ["bundle", bundle],
  ["run of records", segment],
] as const) {
  test(`every redacted subset of a ${name} verifies as before, and the report counts it`, () => {
    const whole = verified(object);
    for (const seqNos of subsets(EVENTS)) {
      const redacted = redact<Redactable>(object, seqNos);
      const report = verified(redacted);
      assert.equal(report.assurance.redacted, seqNos.length);
      const payloads = report.checks.find(({ id }) => id === "payload_hash");
      assert.equal(payloads?.count ?? 0, EVENTS - seqNos.length);
      assert.deepEqual(unpayloaded(report), unpayloaded(whole));
      const text = JSON.stringify(redacted);
      for (const { seq_no, payload_salt, payload } of evidence.records) {
        assert.equal(text.includes(payload_salt ?? "?"), !seqNos.includes(seq_no), `the salt of event ${seq_no}`);
        assert.equal(
          text.includes(JSON.stringify(payload)),
          !seqNos.includes(seq_no),
          `the payload of event ${seq_no}`,
        );
      }
    }
  });
}

test("redacting in steps is redacting at once, in any order", () => {
  const seqNos = fc.array(fc.integer({ min: 1, max: EVENTS }));
  fc.assert(
    fc.property(seqNos, seqNos, (first, second) => {
      assert.deepEqual(redact(redact(bundle, first), second), redact(bundle, new Set([...second, ...first])));
    }),
  );
});

test("receipts and portable receipts lose their payload, and nothing else", () => {
  for (const [object, seqNo] of [
    [record, 1],
    [portable, 3],
  ] as const) {
    const before = structuredClone(object);
    const report = verified(redact<Redactable>(object, [seqNo]));
    assert.equal(report.assurance.redacted, 1);
    assert.deepEqual(unpayloaded(report), unpayloaded(verified(object)));
    assert.deepEqual(object, before, "the given object is not changed");
    assert.equal(verified(redact<Redactable>(object, [])).assurance.redacted, 0);
  }
});

test("a caller's mistake throws", () => {
  for (const object of [bundle, segment, portable, record] as readonly Redactable[]) {
    for (const seqNo of [0, EVENTS + 1, -1, 1.5, Number.NaN])
      assert.throws(() => redact(object, [seqNo]), RangeError, `${seqNo}`);
  }
  const [window] = evidence.windows;
  for (const object of [
    window,
    evidence.checkpoints[0],
    null,
    [],
    7,
    {},
    { ...record, seq_no: "1" },
    { ...bundle, seal: null },
  ])
    assert.throws(() => redact(object as Redactable, [1]), TypeError);
});
