/** The parts of a disclosure: its envelope and content, the opened fields, its notes, and whom it is sealed for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { at, id, ORIGIN, SERVICE, WITNESS } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import {
  custodyOf,
  type DisclosureOptions,
  disclosureOf,
  drawn,
  issueVaultStream,
  sealedStatus,
  startOf,
  VAULT,
} from "@svc/testkit/evidence/vaults";
import {
  type Content,
  type Disclosure,
  discloseNothing,
  type Envelope,
  envelopeHash,
  type Json,
  type PortableReceipt,
  pinKeys,
  referenceKernel,
  sealedEnvelope,
  type TrustPolicy,
  verify,
  ZERO_HASH,
} from "../../src/index.ts";
import { disclosureFaults } from "../../src/objects/disclosure/faults.ts";
import { examineFields } from "../../src/objects/disclosure/fields.ts";
import { contentDigests, examineContent, examineFirst, uncheckedNote } from "../../src/objects/envelope/examine.ts";
import { contentFaults, envelopeFaults, startSealFaults } from "../../src/objects/envelope/faults.ts";
import { contentHash } from "../../src/objects/envelope/issue.ts";
import { examineRecordedContent, examineRecordedEnvelope } from "../../src/objects/envelope/recorded.ts";
import { Examination } from "../../src/report/examination.ts";

const kernel = referenceKernel;
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
const evidence = await issueVaultStream(2, { further: ["author", "title"] });
const good = await disclosureOf(evidence, 2);
const { envelope } = good;
const { content } = envelope as Required<Envelope>;
const OTHER = drawn("other");

/** Returns what an examination finds, each with its place and values. */
function finding(examine: (exam: Examination) => void): string[] {
  const exam = new Examination(kernel, trust);
  exam.kind = "disclosure";
  examine(exam);
  const said = exam.report().problems;
  return said.map(({ code, path, expected, actual }) =>
    [code, path, ...(expected === undefined ? [] : [expected, actual])].join(" "),
  );
}

function reportOf(disclosure: Disclosure, policy: object = {}) {
  const bytes = Buffer.from(JSON.stringify(disclosure));
  return verify(bytes, { kernel, trust: { ...trust, ...policy } as unknown as TrustPolicy });
}

function found(disclosure: Disclosure, policy: object = {}): string[] {
  return reportOf(disclosure, policy).problems.map(({ code, path }) => `${code} ${path}`);
}

const noteOf = (disclosure: Disclosure, check: string, policy: object = {}) =>
  reportOf(disclosure, policy).checks.find((one) => one.id === check)?.note;

const made = (options: DisclosureOptions = {}) => disclosureOf(evidence, 2, options);

test("the first envelope of a vault, and no other, follows 64 zeros", () => {
  for (const [vaultSeq, previousEnvelopeHash, isGood] of [
    [1, ZERO_HASH, true],
    [1, OTHER, false],
    [2, ZERO_HASH, false],
    [2, OTHER, true],
  ] as const) {
    const own = { ...sealedEnvelope(envelope), vaultSeq, previousEnvelopeHash };
    const told = finding((exam) => examineFirst(exam, own, "/envelope"));
    assert.deepEqual(told, isGood ? [] : ["vault_chain_broken /envelope/previousEnvelopeHash"]);
  }
});

test("the note names what is not checked of an envelope: its content, and a start seal of an unknown key", () => {
  const { content: _, ...bare } = envelope;
  const startSeal = envelope.seal;
  const [missing, unchecked] = [
    "the content is not here",
    "the start seal was not checked: nothing here tells its key",
  ];
  assert.equal(uncheckedNote(envelope, false), null);
  assert.equal(uncheckedNote(envelope, true), null);
  assert.equal(uncheckedNote(bare, false), missing);
  assert.equal(uncheckedNote({ ...envelope, startSeal }, false), unchecked);
  assert.equal(uncheckedNote({ ...envelope, startSeal }, true), null);
  assert.equal(uncheckedNote({ ...bare, startSeal }, false), `${missing}; ${unchecked}`);
});

test("a level names what carries it and nothing else, and a provider stands with its policy", () => {
  for (const level of ["L0", "L1", "L2"] as const)
    for (const attestationRef of [null, id("att", 1)])
      for (const startId of [null, OTHER]) {
        const fits = (attestationRef !== null) === (level === "L1") && (startId !== null) === (level === "L2");
        const faults = contentFaults({ ...content, assurance: { level, attestationRef, startId } }, "/c");
        assert.deepEqual(
          faults.map(({ path, code }) => [path, code]),
          fits ? [] : [["/c/assurance", undefined]],
          `${level} ${attestationRef} ${startId}`,
        );
      }
  for (const providerId of [null, "marker.one"])
    for (const providerPolicyDigest of [null, OTHER]) {
      const metadata = { ...content.metadata, providerId, providerPolicyDigest };
      const faults = contentFaults({ ...content, metadata }, "/c").map(({ path, code }) => [path, code]);
      const fault = ["/c/metadata/providerPolicyDigest", "provenance_metadata_not_permitted"];
      assert.deepEqual(faults, (providerId === null) === (providerPolicyDigest === null) ? [] : [fault]);
    }
});

test("a start seal stands exactly at level L2", () => {
  const startSeal = envelope.seal;
  const of = (level: Content["assurance"]["level"], more: object) =>
    startSealFaults(
      { ...sealedEnvelope(envelope), ...more },
      { ...content, assurance: { ...content.assurance, level } },
      "/e",
    ).map(({ code, path }) => `${code} ${path}`);
  assert.deepEqual([of("L2", { startSeal }), of("L1", {}), of("L0", {})], [[], [], []]);
  assert.deepEqual(of("L2", {}), ["missing_member /e/startSeal"]);
  assert.deepEqual(of("L1", { startSeal }), ["unknown_member /e/startSeal"]);
  const { content: _, ...bare } = envelope;
  assert.deepEqual(envelopeFaults({ ...bare, startSeal }, "/e"), [], "without content nothing says which");
  const misnamed = { ...content, assurance: { level: "L1", attestationRef: null, startId: null } } as Content;
  const faults = envelopeFaults({ ...envelope, startSeal, content: misnamed }, "/e");
  assert.deepEqual(
    faults.map(({ path }) => path),
    ["/e/content/assurance", "/e/startSeal"],
  );
});

test("a content is the one of its envelope, and leads to the root of its capsule", () => {
  const own = sealedEnvelope(envelope);
  const told = (changes: object, of: object = {}) =>
    finding((exam) => examineContent(exam, { ...own, ...of }, { ...content, ...changes }, "/c"));
  assert.deepEqual(told({}), []);
  const edited = { ...content, sealedAt: at(9) };
  const hashes = `content_hash_mismatch /c ${envelope.contentHash} ${contentHash(kernel, edited)}`;
  assert.deepEqual(told({ sealedAt: at(9) }), [hashes]);
  assert.deepEqual(told({}, { capsuleRoot: OTHER }), ["capsule_path_invalid /c/capsulePath"]);
  const cut = { capsulePath: [] };
  assert.deepEqual(told(cut, { contentHash: contentHash(kernel, { ...content, ...cut }) }), [
    "capsule_path_invalid /c/capsulePath",
  ]);
  const both = contentDigests(kernel, [content, content], [undefined, OTHER]);
  assert.deepEqual(both, [
    { hash: envelope.contentHash, root: envelope.capsuleRoot },
    { hash: OTHER, root: envelope.capsuleRoot },
  ]);
});

test("an envelope and its content have to fit the record, and the place that differs is reported", () => {
  const [, record] = evidence.records;
  assert.ok(record !== undefined);
  const { payload_salt: salt = "" } = record;
  const told = (changes: object) =>
    finding((exam) => {
      examineRecordedEnvelope(exam, sealedEnvelope(envelope), salt, { ...record, ...changes }, "/e");
      examineRecordedContent(exam, envelope, content, { ...record, ...changes }, "/c");
    });
  assert.deepEqual(told({}), []);
  const mismatch = (path: string, expected: string, actual: string) => [
    `envelope_record_mismatch ${path} ${expected} ${actual}`,
  ];
  assert.deepEqual(told({ payload_hash: OTHER }), mismatch("/e", OTHER, record.payload_hash));
  assert.deepEqual(told({ source_ref: "psr_1" }), mismatch("/e/sourceRef", "psr_1", record.source_ref));
  assert.deepEqual(told({ stream_id: "str_1" }), mismatch("/e/streamId", "str_1", record.stream_id));
  assert.deepEqual(told({ event_type: "asset.marked" }), mismatch("/c/eventType", "asset.marked", record.event_type));
  assert.deepEqual(told({ occurred_at: at(7) }), mismatch("/c/occurredAt", at(7), record.occurred_at));
  const received = at(2 - 301);
  assert.deepEqual(told({ received_at: received }), [
    `vault_clock_ahead /c/sealedAt at most 300 s after ${received} ${content.sealedAt}`,
  ]);
  assert.deepEqual(told({ received_at: at(2 - 300) }), []);
  const words = new Examination(kernel, trust);
  words.kind = "disclosure";
  examineRecordedEnvelope(words, sealedEnvelope(envelope), salt, { ...record, stream_id: "str_1" }, "/e");
  assert.match(words.report().problems[0]?.message ?? "", /^envelope 2 of .* event 2 under another stream\.$/);
  const counted = (count: number) => {
    const exam = new Examination(kernel, trust);
    exam.kind = "disclosure";
    for (let time = 0; time < count; time++)
      examineRecordedEnvelope(exam, sealedEnvelope(envelope), salt, record, "/e", record.payload_hash);
    return exam.report().checks.find((check) => check.id === "envelope")?.count;
  };
  assert.deepEqual([counted(1), counted(2)], [1, 2]);
});

test("a wrong form of a disclosure or of anything in it is reported at its place", async () => {
  const faults = (changes: object) =>
    disclosureFaults({ ...good, ...changes } as Disclosure).map(({ code = "malformed", path }) => `${code} ${path}`);
  const { content: _, ...bare } = envelope;
  const attestations = [await custodyOf(), await custodyOf()];
  assert.deepEqual(faults({}), []);
  assert.deepEqual(faults({ audience: "a" }), ["malformed /audience"]);
  assert.deepEqual(faults({ nonce: "n" }), ["malformed /nonce"]);
  assert.deepEqual(faults({ audience: "a", nonce: "n" }), ["malformed /audience", "malformed /nonce"]);
  assert.deepEqual(faults({ audience: "a", nonce: "n", seal: envelope.seal }), []);
  assert.deepEqual(faults({ seal: envelope.seal }), []);
  assert.deepEqual(faults({ envelope: bare }), ["missing_member /envelope/content"]);
  assert.deepEqual(faults({ envelope: bare, fields: [] }), []);
  assert.deepEqual(faults({ envelope: bare, fields: [], attestations }), ["missing_member /envelope/content"]);
  assert.deepEqual(faults({ attestations, receipt: null, keyStatus: null }), []);
  assert.deepEqual(faults({ envelope: { ...envelope, startSeal: envelope.seal } }), [
    "unknown_member /envelope/startSeal",
  ]);
  assert.deepEqual(faults({ keyStatus: { ...good.keyStatus, enrolledAt: at(5000) } }), [
    "malformed /keyStatus/statusAt",
  ]);
  const [one, two] = attestations;
  const halved = { ...two, record: { ...two?.record, nonce: null } };
  assert.deepEqual(faults({ attestations: [one, halved] }), ["malformed /attestations/1/record/nonce"]);
  const receipt = { ...good.receipt, last_window: { ...good.receipt, window: good.receipt?.window } };
  assert.deepEqual(faults({ receipt }), ["unknown_member /receipt/last_window"]);
});

test("each field is at the only place of its name, behind the one before it, with a value of the right form", () => {
  const told = (fields: readonly object[], of: object = {}) =>
    finding((exam) =>
      examineFields(exam, fields as unknown as Disclosure["fields"], sealedEnvelope(envelope), { ...content, ...of }),
    );
  const { fields } = good;
  const [first, second, , , author, title] = fields;
  assert.ok(first !== undefined && second !== undefined && author !== undefined && title !== undefined);
  assert.deepEqual(told(fields), []);
  for (const one of fields) assert.deepEqual(told([one]), [], one.name);
  assert.deepEqual(told([second, first]), ["disclosure_field_invalid /fields/1/index 0 0"]);
  assert.deepEqual(told([first, first]), ["disclosure_field_invalid /fields/1/index 0 0"]);
  const moved = told([{ ...author, index: title.index }]);
  assert.ok(moved.includes(`disclosure_field_invalid /fields/0/index ${author.index} ${title.index}`), `${moved}`);
  const deep = Array.from({ length: 17 }).reduce<object>((inside) => [inside], {});
  assert.ok(told([{ ...first, value: deep }]).includes("disclosure_field_invalid /fields/0/value"));
  const third = { ...title, name: "third" };
  assert.ok(told([...fields, third]).includes("disclosure_field_invalid /fields at most 2 3"));
});

test("an opened field is what the vault committed to, at its leaf, by a path of the capsule's length", () => {
  const told = (field: object, of: object = {}) =>
    finding((exam) =>
      examineFields(exam, [field] as unknown as Disclosure["fields"], sealedEnvelope(envelope), { ...content, ...of }),
    );
  const [first, , , , author] = good.fields;
  assert.ok(first !== undefined && author !== undefined);
  const [other, cut] = ["commitment_mismatch /fields/0", "capsule_path_invalid /fields/0/path"];
  for (const field of [first, author]) {
    assert.deepEqual(told({ ...field, value: 1 }), [other]);
    assert.deepEqual(told({ ...field, blind: OTHER }), [other]);
    assert.deepEqual(told({ ...field, path: field.path.slice(1) }), [cut]);
    assert.deepEqual(told({ ...field, path: [...field.path, OTHER] }), [cut]);
    assert.deepEqual(told({ ...field, path: [...field.path.slice(1), OTHER] }), [other]);
  }
  // The list in the content speaks for itself, even where no path leads to the root.
  assert.deepEqual(told({ ...first, value: 1, path: [] }).sort(), [cut, other]);
  assert.deepEqual(told({ ...author, value: 1, path: [] }), [cut]);
  assert.deepEqual(told(first, { commitments: { ...content.commitments, content: OTHER } }), [other]);
});

test("a wrong content in a disclosure is reported at its place", () => {
  const edited = {
    ...good,
    envelope: { ...envelope, content: { ...content, eventType: "asset.marked" } },
  } as Disclosure;
  assert.deepEqual(found(edited), [
    "content_hash_mismatch /envelope/content",
    "envelope_record_mismatch /envelope/content/eventType",
  ]);
});

test("a wrong envelope in a disclosure is reported at its place", () => {
  const first = { ...good, envelope: { ...envelope, previousEnvelopeHash: ZERO_HASH } } as Disclosure;
  const places = [
    "vault_chain_broken /envelope/previousEnvelopeHash",
    "envelope_signature_invalid /envelope/seal/signature",
  ];
  for (const place of places) assert.ok(found(first).includes(place), `${found(first)}`);
});

test("a receipt's faults are reported at their places in the disclosure", () => {
  const receipt = structuredClone(good.receipt);
  Object.assign(receipt?.receipt.receipt ?? {}, { signature: "00".repeat(64) });
  assert.ok(found({ ...good, receipt }).includes("signature_invalid /receipt/receipt/receipt/signature"));
});

test("the note says if the event came before the end of its key, and if a pinned witness shows that", async () => {
  const ended = async (second: number, more: object = {}) =>
    made({
      keyStatus: await sealedStatus(VAULT, {
        status: "revoked",
        revokedAt: at(second),
        revocationReason: "key_compromise",
        ...more,
      }),
    });
  const note = async (second: number, policy: object = {}) => noteOf(await ended(second), "vault_key", policy);
  const witnesses = [{ name: `${ORIGIN}/witness`, public_key_hex: WITNESS.publicKeyHex }];
  assert.match((await note(2)) ?? "", /received the event at .*, not before that$/);
  assert.match((await note(900)) ?? "", /stated at that instant\); .* before that, by its own clock alone/);
  assert.match((await note(900, { witnesses })) ?? "", /before that, and a witness or block that you pin shows it/);
  const afterwards = await ended(900, { revocationInstantReconstructed: true });
  assert.deepEqual(found(afterwards), ["vault_revocation_time_uncertain /envelope"]);
  assert.deepEqual(found(afterwards, { witnesses }), []);
  assert.match(noteOf(afterwards, "vault_key", { witnesses }) ?? "", /stated afterwards/);
});

test("the note says how much is opened, and for whom", async () => {
  const open = (names: readonly string[]) => made({ names });
  const anybody = "not sealed, so that anybody can pass it on";
  assert.equal(noteOf(await open([]), "disclosure"), `no field is opened; ${anybody}`);
  assert.equal(
    noteOf(await open(["author", "policy"]), "disclosure"),
    `2 of 8 leaves opened: policy, author; 6 stay closed; ${anybody}`,
  );
  const further = ["a", "b", "c", "d", "e"];
  const large = await issueVaultStream(1, { capsuleSize: 64, further });
  const names = large.capsules[0]?.fields.map(({ name }) => name) ?? [];
  for (const [count, more] of [
    [8, ""],
    [9, " and 1 more"],
  ] as const) {
    const opened = await disclosureOf(large, 1, { names: names.slice(0, count) });
    const expected = `${count} of 64 leaves opened: ${names.slice(0, 8).join(", ")}${more}; ${64 - count} stay closed`;
    assert.equal(noteOf(opened, "disclosure"), `${expected}; ${anybody}`);
  }
  const sealed = async (audience: string | null, nonce: string | null) =>
    noteOf(await made({ names: [], isSealed: true, audience, nonce }), "disclosure");
  assert.equal(await sealed(null, null), "no field is opened; sealed for no reader in particular");
  assert.equal(await sealed("a", null), 'no field is opened; sealed for the reader "a"');
  assert.equal(await sealed(null, "n"), 'no field is opened; sealed for no reader in particular, on the occasion "n"');
});

test("a provider's result in a field is checked at its place, and its mismatch is reported", async () => {
  const result = {
    schema: "SVC-PROVIDER-RESULT-001",
    version: "0.2",
    provider_id: "marker.one",
    provider_version: "3",
    operation: "detect",
    media: "image",
    detected: true,
    registration_ref: "reg-0001",
    soft_binding: null,
    record_marked_asset_sha256: OTHER,
    presented_sha256: OTHER,
    presented_matches_record: true,
    observed_at: at(0),
  };
  const holding = async (value: Json, name = "providerResult") =>
    disclosureOf(await issueVaultStream(1, { further: [name], furtherValue: () => value }), 1, { names: [name] });
  const none = "it names no provider";
  const matching = await holding(result);
  assert.deepEqual([found(matching), noteOf(matching, "provider")], [[], none]);
  const other = await holding({ ...result, presented_sha256: drawn("no"), presented_matches_record: false });
  assert.deepEqual(found(other), []);
  assert.match(noteOf(other, "provider") ?? "", /^presented_mismatch_observed.*; it names no provider$/);
  const torn = await holding({ ...result, presented_matches_record: false });
  assert.deepEqual(found(torn), ["provider_result_inconsistent /fields/0/value/presented_matches_record"]);
  assert.equal(noteOf(torn, "provider"), none);
  assert.deepEqual(found(await holding({ ...result, media: "smell" })), ["malformed /fields/0/value/media"]);
  assert.deepEqual(found(await holding("no result", "otherResult")), [], "another field may hold anything");
});

test("a start whose key an attestation tells is checked, if a receipt dates the event", async () => {
  const start = await startOf();
  const assurance = { level: "L2", attestationRef: null, startId: start.result?.startId ?? null } as const;
  const started = await issueVaultStream(1, { stated: () => ({ assurance }) });
  const told = async (options: DisclosureOptions) => noteOf(await disclosureOf(started, 1, options), "envelope");
  const unchecked = "the start seal was not checked: nothing here tells its key";
  assert.equal(await told({ attestations: [start] }), undefined);
  assert.equal(await told({ attestations: [] }), unchecked);
  assert.equal(await told({ attestations: [await custodyOf()] }), unchecked);
  assert.equal(await told({ attestations: [start], receipt: null }), unchecked);
});

test("an attestation that does not count says nothing of a machine or a token", async () => {
  const softwareRoot = { softwareRoot: true };
  const own = reportOf(await made({ attestations: [await custodyOf(VAULT, softwareRoot)] })).assurance.provenance;
  assert.deepEqual([own?.software_root, own?.key_custody], [true, "x509"]);
  const signer = testSigner("stranger");
  const by = await custodyOf(VAULT, { ...softwareRoot, signer });
  const other = reportOf(await made({ attestations: [by] })).assurance.provenance;
  assert.deepEqual([other?.software_root, other?.key_custody], [false, "none"]);
  assert.equal(noteOf(good, "attestation"), "no attestation here");
});

test("a disclosure is for the reader, the occasion and the content that are expected", async () => {
  const expecting = (disclosure: Disclosure, expect: object) =>
    reportOf(disclosure, { expect }).problems.map(({ code, path, expected, actual }) =>
      [code, path, expected, actual ?? "-"].join(" "),
    );
  const sealed = await made({ isSealed: true, audience: "a", nonce: "n" });
  assert.deepEqual(expecting(sealed, { audience: "a", nonce: "n" }), []);
  assert.deepEqual(expecting(sealed, { audience: "b" }), ["disclosure_audience_mismatch /audience b a"]);
  assert.deepEqual(expecting(sealed, { nonce: "m" }), ["disclosure_audience_mismatch /nonce m n"]);
  assert.deepEqual(expecting(good, { audience: "b" }), ["disclosure_audience_mismatch /audience b none"]);
  const [first] = good.fields;
  const { sha256 } = (first ?? assert.fail()).value as { readonly sha256: string };
  assert.deepEqual(expecting(good, { content_sha256: sha256 }), []);
  assert.deepEqual(expecting(good, { content_sha256: OTHER }), [
    `content_mismatch /fields/0/value/sha256 ${OTHER} ${sha256}`,
  ]);
  assert.deepEqual(expecting(await made({ names: ["author"] }), { content_sha256: sha256 }), [
    `evidence_missing /fields ${sha256} -`,
  ]);
  for (const value of [null, 1, "text", {}, { sha256: 5 }]) {
    const [content, ...others] = good.fields;
    const told = expecting(
      { ...good, fields: [{ ...content, value }, ...others] as Disclosure["fields"] },
      {
        content_sha256: sha256,
      },
    );
    assert.ok(told.includes(`content_mismatch /fields/0/value/sha256 ${sha256} no hash`), JSON.stringify(value));
  }
});

test("a key that is revoked seals no disclosure, whenever it says so", async () => {
  const revoked = (second: number) =>
    sealedStatus(VAULT, {
      status: "revoked",
      revokedAt: at(second),
      revocationReason: "decommissioned",
      statusAt: at(5000),
    });
  for (const second of [1999, 2001]) {
    const sealed = await made({ isSealed: true, keyStatus: await revoked(second) });
    assert.deepEqual(found(sealed), ["vault_key_revoked /seal/kid"], `${second}`);
  }
  const vaults = [{ installation_id: VAULT.installationId, public_key_hex: VAULT.signer.publicKeyHex }];
  assert.deepEqual(
    found(await made({ isSealed: true, keyStatus: null }), { vaults }),
    [],
    "nothing says that it ended",
  );
});

test("a receipt and a status are a disclosure of nothing, if the receipt is of an envelope", async () => {
  const { receipt, keyStatus } = good;
  assert.ok(receipt !== null && keyStatus !== null);
  const { statusAt } = keyStatus;
  const none = { audience: null, nonce: null, seal: null, fields: [], attestations: [] };
  assert.deepEqual(discloseNothing(kernel, receipt, keyStatus), {
    ...none,
    disclosureId: `dsc_${"0".repeat(26)}`,
    envelopeHash: envelopeHash(kernel, envelope),
    disclosedAt: statusAt,
    envelope: sealedEnvelope(envelope),
    receipt,
    keyStatus,
  });
  const { payload: _, ...redacted } = receipt.receipt;
  assert.equal(discloseNothing(kernel, { ...receipt, receipt: redacted } as PortableReceipt, keyStatus), null);
  const other = { ...receipt, receipt: { ...receipt.receipt, payload: { amount: 1 } } };
  assert.equal(discloseNothing(kernel, other, keyStatus), null);
});
