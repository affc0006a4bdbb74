/** The content of a report: assurance recomputed, each check's state, and words for this very object. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { at, bundleOf, issueStream, ORIGIN, SERVICE, WITNESS } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { type Json, pinKeys, type Report, referenceKernel, type TrustPolicy, verify } from "../src/index.ts";
import { Examination } from "../src/report/examination.ts";

const kernel = referenceKernel;
const pinned = pinKeys(kernel, [SERVICE.publicKeyHex]);
const witnesses = [{ name: `${ORIGIN}/witness`, public_key_hex: WITNESS.publicKeyHex }];
const evidence = await issueStream(10, { perWindow: 4, perCheckpoint: 2 });
const bundle = await bundleOf(evidence);

function check(value: unknown, trust: TrustPolicy = pinned): Report {
  return verify(kernel.canonicalize(JSON.parse(JSON.stringify(value)) as Json), { trust });
}

function statuses(report: Report): Record<string, string> {
  return Object.fromEntries(report.checks.map(({ id, status }) => [id, status]));
}

test("a verified bundle says what it shows, what was not checked, and what it does not prove", () => {
  const report = check(bundle);
  assert.equal(report.verdict, "verified");
  assert.deepEqual(report.subject, {
    id: bundle.manifest.bundle_id,
    stream_id: bundle.manifest.stream_id,
    from_seq_no: 1,
    to_seq_no: 10,
    origin: ORIGIN,
    from_received_at: bundle.artifacts["receipts.json"][0]?.received_at,
    to_received_at: bundle.artifacts["receipts.json"][9]?.received_at,
  });
  assert.deepEqual(report.assurance, {
    signed: true,
    included: true,
    complete: true,
    witnessed: { required: 1, valid: 1, pinned: 0 },
    published: "none",
    anchored: "none",
    redacted: 0,
  });
  const notChecked = report.checks.filter(({ status }) => status !== "pass");
  assert.deepEqual(
    notChecked.map(({ id, status }) => [id, status]),
    [
      ["inclusion", "not_checked"],
      ["anchor", "not_checked"],
      ["fork", "not_checked"],
      ["key_endorsements", "not_checked"],
      ["known_checkpoint", "not_checked"],
      ["expectation", "not_checked"],
    ],
  );
  for (const { id, note } of notChecked) assert.ok(note !== undefined && note.length > 0, `${id} must say why`);
  assert.equal(report.checks.find(({ id }) => id === "receipt_signature")?.count, 10);
  assert.match(report.proves[0] ?? "", /events 1 to 10 .* none missing, none added/);
  assert.ok(report.does_not_prove.some((sentence) => sentence.includes("true")));
  assert.ok(report.does_not_prove.some((sentence) => sentence.includes("no witness that you pin")));
});

test("without a pin everything is checked and nothing is trusted", () => {
  const report = check(bundle, { signers: [] });
  assert.equal(report.verdict, "untrusted");
  assert.equal(report.ok, false);
  assert.deepEqual(
    report.problems.map(({ code }) => code),
    ["key_not_pinned"],
  );
  assert.equal(statuses(report).receipt_signature, "pass");
  assert.equal(statuses(report).trust, "cannot_evaluate");
});

test("a signature whose key nobody gave is said to be unchecked", () => {
  const report = check({ ...bundle, key_hints: [] }, { signers: [] });
  assert.equal(report.verdict, "untrusted");
  assert.equal(statuses(report).receipt_signature, "cannot_evaluate");
  assert.deepEqual(
    [report.assurance.signed, report.assurance.included, report.assurance.complete],
    [false, false, false],
  );
  assert.match(report.problems[0]?.message ?? "", /, in whose name .* is\. Its signature could not be checked/);
});

test("a rejected bundle proves nothing, and the place is named", () => {
  const copy = structuredClone(bundle);
  const eventId = copy.artifacts["receipts.json"][6]?.stream_event_id ?? "";
  Object.assign(copy.payloads?.[eventId]?.payload ?? {}, { amount: 0 });
  const report = check(copy);
  assert.equal(report.verdict, "rejected");
  assert.deepEqual(report.proves, []);
  const [problem] = report.problems;
  assert.equal(problem?.code, "payload_hash_mismatch");
  assert.equal(problem?.path, `/payloads/${eventId}`);
  assert.match(problem?.message ?? "", /event 7 /);
  assert.ok(problem?.expected !== problem?.actual);
  assert.equal(statuses(report).event_hash, "pass");
});

test("the first problem is the first in the order of checks, not of discovery", () => {
  const copy = structuredClone(bundle);
  copy.artifacts["witnesses.json"].statements.pop();
  const [record] = copy.artifacts["receipts.json"];
  Object.assign(copy.payloads?.[record?.stream_event_id ?? ""]?.payload ?? {}, { amount: 0 });
  const codes = check(copy).problems.map(({ code }) => code);
  assert.deepEqual(codes, ["artifact_hash_mismatch", "payload_hash_mismatch", "witness_quorum_unmet"]);
});

test("problems of one check are in the order of their places, an object before what is in it", () => {
  const exam = new Examination(referenceKernel, { signers: [] });
  exam.kind = "stream";
  // In the order in which they must stand.
  const rejected = [
    ["head_hash_mismatch", ""],
    ["payload_hash_mismatch", "/2/9"],
    ["payload_hash_mismatch", "/2/10"],
    ["payload_hash_mismatch", "/2/A"],
    ["event_hash_mismatch", "/2/1"],
    ["head_hash_mismatch", "/2/1/c"],
    ["event_hash_mismatch", "/10/1"],
    ["payload_hash_mismatch", "/a/\u{1f600}"],
    ["payload_hash_mismatch", "/a/\uff5e"],
    ["event_hash_mismatch", "/a/b"],
    ["payload_hash_mismatch", "/ab/c"],
    ["payload_hash_mismatch", "/a~1b/c"],
    ["signature_invalid", "trust:/signers/0"],
    ["witness_quorum_unmet", ""],
  ] as const;
  const distrusted = ["key_not_pinned", "/2/1/a"] as const;
  exam.distrust({ code: distrusted[0], path: distrusted[1], message: "" }, "a", "event_hash");
  for (const [code, path] of rejected.toReversed()) exam.reject("event_hash", { code, path, message: "" });
  exam.reject("payload_hash", { code: "payload_hash_mismatch", path: "/z", message: "" });
  const found = exam.report().problems.map(({ code, path }) => [code, path]);
  assert.deepEqual(found, [["payload_hash_mismatch", "/z"], ...rejected, distrusted]);
});

test("a shape error lists every shape problem and leaves the rest unchecked", () => {
  const [record] = evidence.records;
  const report = check({ ...record, event_hash: "no", seq_no: 0, comment: 1 });
  const codes = report.problems.map(({ code, path }) => `${code} ${path}`).sort();
  assert.deepEqual(codes, ["malformed /event_hash", "malformed /seq_no", "unknown_member /comment"]);
  assert.equal(statuses(report).shape, "fail");
  assert.equal(statuses(report).event_hash, "not_checked");
});

test("redacted payloads are counted and said", () => {
  const report = check({ ...bundle, payloads: {} });
  assert.equal(report.verdict, "verified");
  assert.equal(report.assurance.redacted, 10);
  assert.equal(statuses(report).payload_hash, "not_checked");
  assert.ok(report.does_not_prove.some((sentence) => sentence.includes("10 redacted payloads")));
});

test("a pinned witness counts as independent, and a quorum over it is held", () => {
  const report = check(bundle, { ...pinned, witnesses, quorum: 1, require: ["included", "witnessed"] });
  assert.equal(report.verdict, "verified");
  assert.deepEqual(report.assurance.witnessed, { required: 1, valid: 1, pinned: 1 });
  const stripped = structuredClone(bundle);
  stripped.artifacts["witnesses.json"].statements.splice(0);
  const codes = check(stripped, { ...pinned, witnesses, quorum: 1 }).problems.map(({ code }) => code);
  assert.equal(
    codes.filter((code) => code === "witness_quorum_unmet").length,
    2,
    "the policy's and the verifier's own",
  );
});

test("a key with an end needs a pinned witness that saw the events in time", async () => {
  const old = pinned.signers.map((signer) => ({ ...signer, valid_to: at(20) }));
  const now = pinKeys(kernel, [testSigner("now").publicKeyHex]).signers;
  const later = await bundleOf(evidence, 1, testSigner("now"));
  assert.equal(check(later, { signers: [...old, ...now], witnesses }).verdict, "verified");
  const unseen = check(later, { signers: [...old, ...now] });
  assert.equal(unseen.verdict, "untrusted");
  assert.equal(unseen.problems[0]?.code, "key_time_unproven");
});

test("a malformed trust policy rejects, and names the place in the policy", () => {
  const report = check(bundle, { ...pinned, quorum: 0 } as TrustPolicy);
  assert.equal(report.verdict, "rejected");
  const problem = report.problems.find(({ path }) => path.startsWith("trust:"));
  assert.deepEqual([problem?.code, problem?.path], ["malformed", "trust:/quorum"]);
});
