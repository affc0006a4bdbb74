/**
 * The signers of an object, and the event, window, checkpoint and key of each problem: members of the report (protocol
 * section 16).
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { inputBytes } from "@svc/testkit/vectors";
import {
  encodeHex,
  hexToBytes,
  type Json,
  type Kid,
  pinKeys,
  type Report,
  referenceKernel,
  verify,
} from "../src/index.ts";
import { MAX_PROBLEMS } from "../src/report/bounds.ts";
import { placeNames } from "../src/report/place.ts";
import { SignerList } from "../src/report/signers.ts";

const kernel = referenceKernel;
const fingerprint = encodeHex(kernel.sha256(hexToBytes(SERVICE.publicKeyHex)));
const kid = `ed25519-${fingerprint.slice(0, 16)}`;

/** Returns the report about a fixture, under its own trust policy or another. */
function reportOn(fixture: string, trust?: Json): Report {
  const read = JSON.parse(readFileSync(new URL(`../../../fixtures/cases/${fixture}.json`, import.meta.url), "utf8"));
  return verify(inputBytes(read), { kind: read.kind, trust: trust ?? read.trust, links: read.links ?? [] });
}

const said = ({ signers }: Report) => signers.map(({ role, reached }) => `${role} ${reached}`);

test("a bundle names who signed each sort of thing in it, with the whole fingerprint", async () => {
  const bundle = await bundleOf(await issueStream(10, { perWindow: 4, perCheckpoint: 2 }));
  const { signers } = verify(kernel.canonicalize(bundle), {
    trust: pinKeys(kernel, [SERVICE.publicKeyHex]),
  });
  assert.deepEqual(
    signers,
    ["bundle", "checkpoint", "window", "receipt"].map((role) => ({ kid, fingerprint, role, reached: "pinned" })),
  );
});

test("signers are in the order of their roles, of which the tenth comes behind the second", () => {
  assert.deepEqual(said(reportOn("ivc-epoch/good")), ["checkpoint pinned", "ivc-epoch pinned"]);
});

test("trust reaches a signer by a pin, by endorsements, or not at all", () => {
  assert.deepEqual(said(reportOn("bundle/good-rotated")), [
    "bundle endorsed",
    "checkpoint pinned",
    "window pinned",
    "receipt pinned",
  ]);
  assert.deepEqual(said(reportOn("receipt/good")), ["receipt pinned"]);
  assert.deepEqual(said(reportOn("receipt/good", { signers: [] })), ["receipt none"]);
  assert.deepEqual(said(reportOn("bundle/key-revoked")).slice(0, 1), ["bundle none"]);
  // The pin's end makes the difference, which is only known at the end.
  assert.deepEqual(said(reportOn("receipt/key-with-end")), ["receipt none"]);
});

test("one kid may be reached in one role and not in another", () => {
  const roles = said(reportOn("bundle/key-dated-but-for-the-bundle"));
  assert.ok(roles.includes("bundle none") && roles.includes("receipt pinned"), `${roles}`);
});

test("a key that nobody told has no fingerprint; a signature that does not hold names nobody", () => {
  const { signers } = reportOn("receipt/good", { signers: [] });
  assert.deepEqual(
    signers.map((signer) => signer.fingerprint),
    [null],
  );
  const broken = reportOn("receipt/signature-edited");
  assert.deepEqual([broken.problems[0]?.code, broken.signers], ["signature_invalid", []]);
});

test("fork evidence and packages name the signers of their parts, a witness as a witness", () => {
  assert.deepEqual(said(reportOn("fork/good-head-receipt-and-window")), ["window pinned", "receipt pinned"]);
  assert.deepEqual(said(reportOn("fork/good-witness-cosigned-notes")), ["witness pinned"]);
  assert.deepEqual(said(reportOn("fork/good-note-two-notes")), ["note pinned"]);
  const roles = ["truth-package", "bundle", "checkpoint", "window", "receipt"];
  assert.deepEqual(
    said(reportOn("truth-package/good")),
    roles.map((role) => `${role} pinned`),
  );
});

test("what is only a proof or a cosignature has no signer", () => {
  assert.deepEqual(reportOn("inclusion/bare").signers, []);
  assert.deepEqual(reportOn("receipt/truncated").signers, []);
});

test("of one key the least counts, and a report lists a bounded number", () => {
  const list = new SignerList();
  const { publicKeyHex } = SERVICE;
  for (const reached of ["pinned", "endorsed", "pinned"] as const)
    list.add({ kid, publicKeyHex, role: "window", reached });
  list.add({ kid, publicKeyHex, role: "bundle", reached: "pinned" });
  list.lower({ kid, role: "receipt" });
  assert.deepEqual(
    list.list(kernel).map(({ role, reached }) => [role, reached]),
    [
      ["bundle", "pinned"],
      ["window", "endorsed"],
    ],
  );
  for (let no = 0; no < MAX_PROBLEMS + 1; no++)
    list.add({ kid: `ed25519-${no}`, publicKeyHex: null, role: "receipt", reached: "none" });
  assert.equal(list.list(kernel).length, MAX_PROBLEMS);
});

test("a problem says of which event, window, checkpoint and key it is", () => {
  const names = (fixture: string, code: string) => {
    const problem = reportOn(fixture).problems.find((each) => each.code === code);
    const { seq_no, window_no, checkpoint_no, kid: named } = problem ?? {};
    return { seq_no, window_no, checkpoint_no, isKey: named === undefined ? undefined : named === kid };
  };
  const none = { seq_no: undefined, window_no: undefined, checkpoint_no: undefined, isKey: undefined };
  assert.deepEqual(names("receipt/payload-edited", "payload_hash_mismatch"), { ...none, seq_no: 1 });
  assert.deepEqual(names("bundle/payload-edited", "payload_hash_mismatch").seq_no, 4);
  assert.deepEqual(names("receipt/signature-edited", "signature_invalid"), { ...none, seq_no: 1, isKey: true });
  assert.deepEqual(names("window/leaves-swapped", "window_root_mismatch"), { ...none, window_no: 1 });
  assert.deepEqual(names("checkpoint/note-of-other-root", "note_mismatch").checkpoint_no, 2);
});

test("a place is named by what stands on the way to it, and never by a payload", () => {
  const record = { stream_event_id: "sev_a", seq_no: 7, payload: { seq_no: 9, kid }, receipt: { kid } };
  assert.deepEqual(placeNames(record, "/payload/seq_no"), { seq_no: 7 });
  assert.deepEqual(placeNames(record, "/receipt/signature"), { seq_no: 7, kid });
  const bundle = { artifacts: { "receipts.json": [record] }, payloads: { sev_a: { payload: { seq_no: 9 } } } };
  assert.deepEqual(placeNames(bundle, "/artifacts/receipts.json/0/event_hash"), { seq_no: 7 });
  assert.deepEqual(placeNames(bundle, "/payloads/sev_a/payload/seq_no"), { seq_no: 7 });
  assert.deepEqual(placeNames(bundle, "/payloads/sev_b/payload"), {});
  assert.deepEqual(placeNames({ "a/b~": { window_no: 2, seq_no: 3 } }, "/a~1b~0/x"), { window_no: 2, seq_no: 3 });
  // Only members of the right form count, and none that an object inherits.
  for (const seq_no of [0, -1, 1.5, "1", null, [1]]) assert.deepEqual(placeNames({ seq_no }, ""), {});
  for (const other of ["", "ed25519-x", [kid, 1], null]) assert.deepEqual(placeNames({ kid: other }, ""), {});
  assert.deepEqual(placeNames({}, "/constructor/name"), {});
});

test("a subject names the service's origin and when its events were received", async () => {
  const evidence = await issueStream(10, { perWindow: 4, perCheckpoint: 2 });
  const bundle = await bundleOf(evidence);
  const records = bundle.artifacts["receipts.json"];
  const { subject } = verify(kernel.canonicalize(bundle), {});
  assert.deepEqual(
    [subject.origin, subject.from_received_at, subject.to_received_at],
    ["test.example/evidence", records[0]?.received_at, records[9]?.received_at],
  );
  assert.equal(reportOn("checkpoint/good").subject.origin, "test.example/evidence");
  assert.equal(reportOn("anchor/good").subject.origin, "test.example/evidence");
  assert.equal(reportOn("fork/good-epoch-two-anchors").subject.origin, "test.example/evidence");
  assert.equal(reportOn("truth-package/good-two-ranges").subject.from_received_at, undefined);
  const { from_seq_no, to_seq_no, from_received_at, to_received_at } = reportOn("truth-package/good-small").subject;
  assert.ok(from_seq_no !== undefined && to_seq_no !== undefined);
  assert.ok(from_received_at !== undefined && to_received_at !== undefined && from_received_at <= to_received_at);
  const receipt = reportOn("receipt/good").subject;
  assert.equal(receipt.origin, undefined);
  assert.equal(receipt.from_received_at, receipt.to_received_at);
});

test("a pin of another key does not reach what the service sealed", () => {
  const stranger = pinKeys(kernel, [testSigner("signers: stranger").publicKeyHex]);
  assert.deepEqual(said(reportOn("receipt/good", stranger)), ["receipt none"]);
});

test("a key that one part lacks is missing, whichever part comes first, and the weaker reach counts", () => {
  const given = { kid: kid as Kid, role: "receipt", publicKeyHex: SERVICE.publicKeyHex, reached: "pinned" } as const;
  const missing = { ...given, publicKeyHex: null, reached: "none" } as const;
  for (const order of [
    [given, missing],
    [missing, given],
  ]) {
    const list = new SignerList();
    for (const one of order) list.add(one);
    assert.deepEqual(list.list(kernel), [{ kid, fingerprint: null, role: "receipt", reached: "none" }]);
  }
});
