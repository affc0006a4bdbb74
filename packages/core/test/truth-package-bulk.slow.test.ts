/**
 * Packages with large bundles: each is checked in bulk as it is in proofs.json, its events are never in one value
 * together, and the report is that of proofs that are read whole. A newline behind the proofs makes the verifier read
 * them whole, and changes nothing else.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { resealRecord } from "@svc/testkit/evidence/resealed";
import { bundleOf, id, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { packageInput, packageOf, resealed } from "@svc/testkit/evidence/truth-packages";
import {
  type Bundle,
  type JsonObject,
  type Kernel,
  type PackageInput,
  pinKeys,
  type ReceiptRecord,
  type Report,
  referenceKernel,
  selectKernel,
  verify,
} from "../src/index.ts";
import { payloadHash } from "../src/objects/receipt.ts";
import { Examination } from "../src/report/examination.ts";
import { openInBulk, workOn } from "../src/verify/read-in-bulk.ts";
import { eventsIn } from "../src/verify/truth-package/proofs.ts";

const kernel = selectKernel();
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
const EVENTS = 150;
const OPTIONS = { perWindow: 50, perCheckpoint: 3 };
const streams = [
  await issueStream(EVENTS, { ...OPTIONS, streamNo: 1 }),
  await issueStream(3, { ...OPTIONS, streamNo: 2 }),
  await issueStream(EVENTS, { ...OPTIONS, streamNo: 3 }),
];
const bundles = await Promise.all(streams.map((stream) => bundleOf(stream)));
const input: PackageInput = { ...(await packageInput()), ranges: bundles.map((bundle) => rangeOf(bundle)), bundles };

function rangeOf({ manifest: { stream_id, to_seq_no } }: Bundle, from_seq_no = 1, to = to_seq_no) {
  return { stream_id, from_seq_no, to_seq_no: to };
}

/** Returns the report, and the bytes of the longest text that the kernel parsed as JSON. */
function verified(bytes: Uint8Array): { readonly report: Report; readonly longest: number } {
  let longest = 0;
  const noting = <Read extends "parseJson" | "openJson">(read: Read) => ({
    value: (text: Uint8Array) => {
      longest = Math.max(longest, text.length);
      return kernel[read](text);
    },
  });
  const kernelNoting: Kernel = Object.create(kernel, { parseJson: noting("parseJson"), openJson: noting("openJson") });
  return { report: verify(bytes, { trust, kernel: kernelNoting }), longest };
}

/** Resolves to the report, which must be that of the proofs read whole and that of the reference. */
async function reportOf(given: PackageInput): Promise<{ readonly report: Report; readonly longest: number }> {
  const bytes = await packageOf(given);
  const answer = verified(bytes);
  const whole = verified(await resealed(given, "proofs.json", (proofs) => Buffer.concat([proofs, Buffer.from("\n")])));
  assert.ok(whole.longest > proofsBytes(given));
  assert.deepEqual(answer.report, whole.report);
  const { verifier: _, ...byReference } = verify(bytes, { trust, kernel: referenceKernel });
  assert.deepEqual({ ...byReference, verifier: answer.report.verifier }, answer.report);
  return answer;
}

function proofsBytes({ bundles: held }: PackageInput): number {
  return kernel.canonicalize(held).length;
}

test("large bundles are checked in bulk, between them a small one, and no more than a part of one is a value", async () => {
  const { report, longest } = await reportOf(input);
  assert.equal(report.verdict, "verified");
  assert.ok(longest < proofsBytes({ ...input, bundles: bundles.slice(0, 1) }), `${longest}`);
  const counts = new Map(report.checks.map(({ id, count }) => [id, count]));
  assert.deepEqual([counts.get("export"), counts.get("event_hash"), counts.get("json")], [303, 303, 2]);
});

test("payloads that are left out, and those outside of the ranges", async () => {
  const [first] = bundles as [Bundle];
  const kept = Object.entries(first.payloads ?? {}).filter((_, index) => index % 3 !== 0 && index >= 20 && index < 90);
  const redacted = { ...first, payloads: Object.fromEntries(kept) } as Bundle;
  const asked = { ...input, bundles: [redacted], ranges: [rangeOf(first, 21, 90)] };
  const { report, longest } = await reportOf(asked);
  assert.deepEqual([report.verdict, report.assurance.redacted], ["verified", EVENTS - kept.length]);
  assert.ok(longest < proofsBytes(asked));

  const outside = await reportOf({ ...asked, ranges: [rangeOf(first, 30, 90)] });
  assert.equal(outside.report.verdict, "rejected");
  assert.match(outside.report.problems[0]?.path ?? "", /^\/proofs\.json\/0\/payloads\/sev_/);
  assert.equal(outside.report.problems[0]?.code, "export_mismatch");
});

test("a table that differs is reported with its line, and a wrong receipt with its place", async () => {
  const [first] = bundles as [Bundle];
  const asked = { ...input, bundles: [first], ranges: [rangeOf(first)] };
  const changed = await resealed(asked, "events.csv", (table) => {
    const text = Buffer.from(table).toString("latin1").split("\r\n");
    text[77] = (text[77] ?? "").replace("loan", "moan");
    return Buffer.from(text.join("\r\n"), "latin1");
  });
  const { problems } = verified(changed).report;
  assert.deepEqual(
    problems.map(({ code }) => code),
    ["export_mismatch"],
  );
  assert.match(problems[0]?.message ?? "", /line 78 is the first that differs/);

  const spoiled = structuredClone(first) as {
    artifacts: { "receipts.json": { receipt: { signature: string } }[] };
  };
  const { receipt } = spoiled.artifacts["receipts.json"][40] ?? assert.fail("a record");
  receipt.signature = receipt.signature.replace(/^./, (digit) => (digit === "0" ? "1" : "0"));
  const { report } = await reportOf({ ...asked, bundles: [spoiled as Bundle] });
  assert.ok(report.problems.some(({ path }) => path === "/proofs.json/0/artifacts/receipts.json/40/receipt/signature"));
});

test("ids that do not rise with the numbers: payloads are in another order than receipts", async () => {
  // From the 60th event on a clock was set back.
  const idOf = (seqNo: number) => id("sev", seqNo < 60 ? 5000 + seqNo : 4000 + seqNo);
  const record = (issued: ReceiptRecord) => resealRecord(issued, { stream_event_id: idOf(issued.seq_no) });
  const bundle = await bundleOf(await issueStream(EVENTS, { ...OPTIONS, lies: { record } }));
  const { report } = await reportOf({ ...input, bundles: [bundle], ranges: [rangeOf(bundle)] });
  assert.equal(report.verdict, "verified");
});

/** Resolves to a record with another payload, and perhaps other members. */
function withPayload(issued: ReceiptRecord, payload: JsonObject, changes: Partial<ReceiptRecord> = {}) {
  const payload_hash = payloadHash(kernel, payload, `${issued.payload_salt}`);
  return resealRecord(issued, { payload, payload_hash, ...changes });
}

const cellOf = (text: string) => `"${text.replaceAll('"', '""')}"`;

for (const [what, events, seqNo] of [
  ["a large bundle", EVENTS, 77],
  ["a small one", 3, 2],
] as const)
  test(`${what}: a payload in the table is the text in the proofs, and not another of the same value`, async () => {
    const payload = { amount: 1, name: 'an "x"\n', place: "Zürich" };
    const record = (issued: ReceiptRecord) => (issued.seq_no === seqNo ? withPayload(issued, payload) : issued);
    const bundle = await bundleOf(await issueStream(events, { ...OPTIONS, lies: { record } }));
    const asked = { ...input, bundles: [bundle], ranges: [rangeOf(bundle)] };
    const text = '{"amount":1,"name":"an \\"x\\"\\n","place":"Zürich"}';
    const texts = {
      itself: text,
      "with a space": text.replace(":1", ": 1"),
      "in another order": '{"name":"an \\"x\\"\\n","amount":1,"place":"Zürich"}',
      "with another number of the same value": text.replace(":1", ":1.0"),
      "with an escape": text.replace("Z", "\\u005a"),
      "composed otherwise": text.replace("ü", "u\u0308"),
      "of another value": text.replace(":1", ":2"),
      "cut off": text.slice(0, -1),
      empty: "",
    };
    for (const [how, other] of Object.entries(texts)) {
      const changed = await resealed(asked, "events.csv", (table) => {
        const before = new TextDecoder().decode(table);
        assert.equal(before.split(cellOf(text)).length, 2);
        return new TextEncoder().encode(before.replace(cellOf(text), () => cellOf(other)));
      });
      const { verdict, problems } = verified(changed).report;
      if (how === "itself") assert.equal(verdict, "verified");
      else
        assert.deepEqual(
          problems.map(({ code, path, message }) => [code, path, /line (\d+)/.exec(message)?.[1]]),
          [["export_mismatch", "/events.csv", `${seqNo + 1}`]],
          how,
        );
    }
  });

test("texts in which something is escaped in JSON or in the table, each by itself", async () => {
  const hard = [
    "=1+1",
    "-",
    "+49",
    "@home",
    'say "x"',
    "a\\b",
    "Zürich \u{1f600}",
    "\u2028",
    "},{",
    '"}},{"artifacts":{',
  ];
  const record = (issued: ReceiptRecord) => {
    const text = hard[issued.seq_no - 1];
    return text === undefined ? issued : withPayload(issued, { text, [text]: `\t${text}\r\n` }, { source_ref: text });
  };
  const bundle = await bundleOf(await issueStream(EVENTS, { ...OPTIONS, lies: { record } }));
  const { report, longest } = await reportOf({ ...input, bundles: [bundle], ranges: [rangeOf(bundle)] });
  assert.equal(report.verdict, "verified");
  assert.ok(longest < kernel.canonicalize(bundle).length);
});

test("events that several ranges name together", async () => {
  const [first] = bundles as [Bundle];
  const asked = { ...input, bundles: [first] };
  const whole = await reportOf({ ...asked, ranges: [rangeOf(first)] });
  const halves = await reportOf({ ...asked, ranges: [rangeOf(first, 1, 75), rangeOf(first, 76)] });
  assert.deepEqual([halves.report.verdict, halves.report.checks], ["verified", whole.report.checks]);
  const received = first.artifacts["receipts.json"].map(({ received_at }) => received_at);
  const { from_received_at, to_received_at } = whole.report.subject;
  assert.deepEqual([from_received_at, to_received_at], [received[0], received.at(-1)]);

  const gap = await reportOf({ ...asked, ranges: [rangeOf(first, 1, 74), rangeOf(first, 76)] });
  assert.deepEqual(
    gap.report.problems.map(({ code, path }) => [code, path.slice(0, "/proofs.json/0/payloads/sev_".length)]),
    [["export_mismatch", "/proofs.json/0/payloads/sev_"]],
  );
});

test("other numbers of proofs than of ranges, and what only looks like another proof", async () => {
  const [first] = bundles as [Bundle];
  for (const [held, code] of [
    [bundles, "export_mismatch"],
    [[], "range_incomplete"],
  ] as const) {
    const { report } = await reportOf({ ...input, bundles: held, ranges: [rangeOf(first)] });
    assert.equal(report.problems[0]?.code, code);
  }
  const payload = { like: [{ seal: { kid: "" } }, { artifacts: {} }] };
  const record = (issued: ReceiptRecord) => (issued.seq_no === 70 ? withPayload(issued, payload) : issued);
  const bundle = await bundleOf(await issueStream(EVENTS, { ...OPTIONS, lies: { record } }));
  const { report } = await reportOf({
    ...input,
    bundles: [bundle, ...bundles.slice(1)],
    ranges: input.ranges,
  });
  assert.equal(report.verdict, "verified");
});

test("the events of a bundle that is read in many parts", () => {
  const [first] = bundles as [Bundle];
  const { payloads = {}, artifacts } = first;
  const bytes = kernel.canonicalize(first);
  const opened = openInBulk(new Examination(kernel, trust), bytes) ?? assert.fail("it is read in bulk");
  const work = workOn(opened, 5000);
  assert.ok(work.receiptParts > 10 && work.parts.length > 2 * work.receiptParts + 2);
  assert.deepEqual(
    [...eventsIn(kernel, work)],
    artifacts["receipts.json"].map((record) => [
      record,
      new TextDecoder().decode(kernel.canonicalize(payloads[record.stream_event_id]?.payload ?? null)),
    ]),
  );
});
