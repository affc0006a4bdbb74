/**
 * The rules of a provenance part, each broken by itself and sealed by the service, with the place that the report
 * names; and digests that are known already, which are taken as they are.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { resealBundle } from "@svc/testkit/evidence/resealed";
import { at, id, SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import {
  custodyOf,
  drawn,
  issueVaultStream,
  OTHER_VAULT,
  startOf,
  statusOf,
  VAULT,
  vaultBundleOf,
} from "@svc/testkit/evidence/vaults";
import {
  type Bundle,
  issueHandover,
  issueProviderPolicy,
  type Json,
  kidOf,
  pinKeys,
  type RecordedEnvelope,
  referenceKernel,
  type TrustPolicy,
  verify,
  ZERO_HASH,
} from "../../src/index.ts";
import type { BulkReceipts } from "../../src/objects/bundle/bulk.ts";
import { digestProvenance } from "../../src/objects/bundle/provenance/bulk.ts";
import { examineProvenance } from "../../src/objects/bundle/provenance/examine.ts";
import { provenanceFaults } from "../../src/objects/bundle/provenance/faults.ts";
import { checkReceipts } from "../../src/objects/bundle/receipts.ts";
import { Examination } from "../../src/report/examination.ts";

const kernel = referenceKernel;
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
const NOBODY: TrustPolicy = { signers: [] };
const SHAPE = { perWindow: 2, perCheckpoint: 2 };
const evidence = await issueVaultStream(4, { ...SHAPE, vaultOf: (no) => (no % 2 === 0 ? OTHER_VAULT : VAULT) });
const good = await vaultBundleOf(evidence);
const PART = "/artifacts/provenance.json";

type Part = NonNullable<Bundle["artifacts"]["provenance.json"]>;
type Lifecycle = NonNullable<Bundle["manifest"]["vault_key_lifecycle"]>;

/** Returns a bundle with a change of its part, sealed by the service. */
function sealed(change: (part: Part, copy: Bundle) => unknown, bundle = good): Promise<Bundle> {
  const copy = structuredClone(bundle);
  change(copy.artifacts["provenance.json"] as Part, copy);
  return resealBundle(copy);
}

function reportOf(bundle: unknown, policy: TrustPolicy = trust) {
  return verify(Buffer.from(JSON.stringify(bundle)), { trust: policy as Json, kernel });
}

/** Returns the verdict, and each problem of the codes that are asked for with its place and values. */
function found(bundle: unknown, wanted: RegExp, policy: TrustPolicy = trust): string[] {
  const { verdict, problems } = reportOf(bundle, policy);
  const told = problems.filter(({ code }) => wanted.test(code));
  return [verdict, ...told.map(({ code, path, expected, actual }) => `${code} ${path} ${expected} ${actual}`)];
}

function noteOf(bundle: unknown, check: string, policy: TrustPolicy = trust): string | undefined {
  return reportOf(bundle, policy).checks.find(({ id }) => id === check)?.note;
}

test("there is one envelope for each event, in order, and the first place that differs is reported", async () => {
  const [first] = (good.artifacts["provenance.json"] as Part).envelopes;
  for (const [change, expected] of [
    [({ envelopes }: Part) => envelopes.pop(), ` 4 3`],
    [({ envelopes }: Part) => envelopes.shift(), `/0/seq_no 1 2`],
    [({ envelopes }: Part) => envelopes.splice(1, 1), `/1/seq_no 2 3`],
    [({ envelopes }: Part) => envelopes.reverse(), `/0/seq_no 1 4`],
    [({ envelopes }: Part) => envelopes.push({ ...(first as RecordedEnvelope), seq_no: 5 }), `/4/seq_no undefined 5`],
  ] as const) {
    const told = found(await sealed(change), /provenance_envelope_missing/);
    assert.deepEqual(told, ["rejected", `provenance_envelope_missing ${PART}/envelopes${expected}`]);
  }
});

test("a part without envelopes has no root, and no chain", async () => {
  const none = await sealed(({ envelopes }) => envelopes.splice(0));
  const told = found(none, /root_mismatch/);
  const root = good.manifest.provenance_root;
  assert.deepEqual(told, [
    "rejected",
    `provenance_root_mismatch /manifest/provenance_root ${root} no envelope is here`,
  ]);
  assert.equal(reportOf(none).assurance.provenance?.vault_chain, "none");
  assert.equal(reportOf(good).assurance.provenance?.vault_chain, "complete");
});

test("the lists of a part ascend, each entry once", async () => {
  const custody = [await custodyOf(VAULT), await custodyOf(VAULT, { attestationRef: id("att", 3) })];
  const successor = testSigner("successor").publicKeyHex;
  const handovers = await Promise.all(
    [2, 1].map((second) => issueHandover(kernel, VAULT.signer, successor, at(second))),
  );
  const policies = await Promise.all(
    [2, 1].map((policyVersion) =>
      issueProviderPolicy(kernel, SERVICE, { policyVersion, providers: [], updatedAt: at(0) }),
    ),
  );
  for (const [name, list] of [
    ["attestations", custody.reverse()],
    ["handovers", handovers],
    ["provider_policies", policies],
  ] as const) {
    const lists = (some: readonly unknown[]) => sealed((part) => Object.assign(part, { [name]: some }));
    const [one, other] = list;
    const disorder = ["rejected", `malformed ${PART}/${name}/1 undefined undefined`];
    assert.deepEqual(found(await lists([one, other]), /malformed/), disorder, name);
    assert.deepEqual(found(await lists([one, one]), /malformed/), disorder, name);
    assert.deepEqual(found(await lists([other, one]), /malformed/), ["verified"], name);
  }
});

test("the manifest lists the keys of exactly the installations here, in order, each key once, of its time", async () => {
  const [one, two] = good.manifest.vault_key_lifecycle as Lifecycle;
  assert.ok(one !== undefined && two !== undefined);
  const third = { installationId: id("ins", 3), signer: testSigner("third vault") };
  const stranger = statusOf(third, good.manifest.created_at);
  for (const [name, list, isGood] of [
    ["as it is", [one, two], true],
    ["in another order", [two, one], false],
    ["one is missing", [one], false],
    ["one twice", [one, one, two], false],
    ["one in place of another", [one, stranger], false],
    ["one more", [one, two, stranger], false],
    ["one key for both", [one, { ...two, publicKeyHex: one.publicKeyHex, keyId: one.keyId }], false],
    ["the first of another time", [{ ...one, statusAt: at(999) }, two], false],
    ["the second of another time", [one, { ...two, statusAt: at(999) }], false],
  ] as const) {
    const bundle = await resealBundle(good, { vault_key_lifecycle: list as unknown as Lifecycle });
    const told = found(bundle, /vault_lifecycle_mismatch/);
    const mismatch = "vault_lifecycle_mismatch /manifest/vault_key_lifecycle undefined undefined";
    assert.deepEqual(told, isGood ? ["verified"] : ["rejected", mismatch], name);
  }
  const turned = await vaultBundleOf(
    await issueVaultStream(2, { ...SHAPE, vaultOf: (no) => (no === 1 ? OTHER_VAULT : VAULT) }),
  );
  assert.deepEqual(found(turned, /./), ["verified"], "the order is that of the list, and not of the events");
});

test("a manifest tells keys only if a trusted signer sealed it, and its seal holds", async () => {
  assert.equal(reportOf(good).assurance.provenance?.vault_keys, "service-vouched");
  assert.equal(reportOf(good, NOBODY).assurance.provenance?.vault_keys, "none");
  const [one, two] = good.manifest.vault_key_lifecycle as Lifecycle;
  const revoked = { ...one, status: "revoked", revokedAt: at(-1), revocationReason: "unspecified" };
  const manifest = { ...good.manifest, vault_key_lifecycle: [revoked, two] };
  assert.equal(found({ ...good, manifest }, /vault_key_revoked/).length, 1, "forged: it says nothing of the key");
  const sealedAnew = await resealBundle(good, { vault_key_lifecycle: [revoked, two] as unknown as Lifecycle });
  assert.equal(found(sealedAnew, /vault_key_revoked/).length, 3, "one for each of its two events");
});

test("the envelopes of a vault follow one another, from the first one on", async () => {
  const later = await vaultBundleOf(evidence, { firstWindow: 2 });
  const other = drawn("other");
  const hashOf = (index: number) =>
    (good.artifacts["provenance.json"] as Part).envelopes[index]?.envelope.previousEnvelopeHash;
  for (const [index, change, expected, bundle] of [
    [0, { vaultSeq: 2 }, "vaultSeq 1 2", good],
    [0, { vaultSeq: 2, previousEnvelopeHash: other }, "vaultSeq 1 2", good],
    [0, { previousEnvelopeHash: other }, `previousEnvelopeHash 64 zeros for the first, and only for it ${other}`, good],
    [2, { vaultSeq: 3 }, "vaultSeq 2 3", good],
    [2, { vaultSeq: 1 }, "vaultSeq 2 1", good],
    [2, { previousEnvelopeHash: other }, `previousEnvelopeHash ${hashOf(2)} ${other}`, good],
    [2, { previousEnvelopeHash: ZERO_HASH }, `previousEnvelopeHash ${hashOf(2)} ${ZERO_HASH}`, good],
    [
      0,
      { previousEnvelopeHash: ZERO_HASH },
      `previousEnvelopeHash 64 zeros for the first, and only for it ${ZERO_HASH}`,
      later,
    ],
    [0, { vaultSeq: 1 }, `previousEnvelopeHash 64 zeros for the first, and only for it ${hashOf(2)}`, later],
  ] as const) {
    const broken = await sealed(({ envelopes }) => Object.assign(envelopes[index]?.envelope ?? {}, change), bundle);
    // The envelope behind it names another hash then.
    const place = `vault_chain_broken ${PART}/envelopes/${index}/envelope/`;
    const told = found(broken, /vault_chain_broken/).filter((each) => each.startsWith(place));
    assert.deepEqual(told, [place + expected], JSON.stringify(change));
  }
  assert.deepEqual(found(later, /./), ["verified"]);
  assert.equal(reportOf(later).assurance.provenance?.vault_chain, "partial");
  const anywhere = await sealed(({ envelopes }) => Object.assign(envelopes[0]?.envelope ?? {}, { vaultSeq: 9 }), later);
  assert.deepEqual(found(anywhere, /vault_chain_broken/), ["rejected"], "before the range may be any number of them");
});

test("an envelope and its content are those of the record", async () => {
  const change = (changes: object) => sealed(({ envelopes }) => Object.assign(envelopes[1]?.envelope ?? {}, changes));
  const path = `${PART}/envelopes/1/envelope`;
  const { source_ref, stream_id, payload_hash } = good.artifacts["receipts.json"][1] ?? assert.fail();
  const mismatches = async (changes: object) =>
    found(await change(changes), /record_mismatch/).map((each) => each.replace(/ [0-9a-f]{64}$/, ""));
  const payload = `envelope_record_mismatch ${path} ${payload_hash}`;
  const ref = `psr_${drawn("no")}`;
  assert.deepEqual(await mismatches({ sourceRef: ref }), [
    "rejected",
    payload,
    `envelope_record_mismatch ${path}/sourceRef ${source_ref} ${ref}`,
  ]);
  const streamId = id("str", 9);
  assert.deepEqual(await mismatches({ streamId }), [
    "rejected",
    payload,
    `envelope_record_mismatch ${path}/streamId ${stream_id} ${streamId}`,
  ]);
  assert.deepEqual(await mismatches({ capsuleRoot: drawn("no") }), ["rejected", payload]);
});

test("contents are those of events in the bundle, and the report says how many are withheld", async () => {
  const start = await startOf();
  const l2 = { assurance: { level: "L2", attestationRef: null, startId: start.result?.startId ?? null } } as const;
  const started = await issueVaultStream(4, { ...SHAPE, stated: (no) => (no > 1 ? l2 : {}) });
  const bundle = await vaultBundleOf(started, { attestations: [start], shows: (no) => no === 2 });
  assert.deepEqual(found(bundle, /./), ["verified"]);
  assert.equal(noteOf(bundle, "envelope"), "3 contents withheld, and 2 start seals not checked without them");
  const half = await vaultBundleOf(evidence, { shows: (no) => no > 1 });
  assert.equal(noteOf(half, "envelope"), "1 contents withheld");
  assert.equal(noteOf(good, "envelope"), undefined);
  const { contents: _, ...bare } = good;
  assert.equal(noteOf(bare, "envelope"), "4 contents withheld");
  assert.equal(noteOf(good, "provider"), "no provider policy in the bundle");
  assert.equal(noteOf(good, "attestation"), "no attestation in the bundle");
});

test("an attestation by a signer whom nobody trusts carries nothing, and says nothing of a machine", async () => {
  const stranger = testSigner("stranger");
  const l1 = { assurance: { level: "L1", attestationRef: id("att", 1), startId: null } } as const;
  const stream = await issueVaultStream(2, { ...SHAPE, stated: () => l1 });
  const by = async (signer = SERVICE) =>
    vaultBundleOf(stream, { attestations: [await custodyOf(VAULT, { softwareRoot: true, signer })] });
  const own = reportOf(await by(), { ...trust, allow_software_roots: true });
  assert.equal(own.verdict, "verified");
  assert.deepEqual(own.assurance.provenance?.effective, { L0: 0, L1: 2, L2: 0, L3: 0 });
  assert.deepEqual([own.assurance.provenance?.software_root, own.assurance.provenance?.key_custody], [true, "x509"]);
  const other = reportOf(await by(stranger));
  assert.equal(other.verdict, "rejected");
  assert.equal(other.problems.filter(({ code }) => code === "provenance_assurance_not_substantiated").length, 2);
  const { software_root, key_custody } = other.assurance.provenance ?? {};
  assert.deepEqual([software_root, key_custody], [false, "none"]);
  const unknown = reportOf(await by(), NOBODY);
  assert.equal(unknown.verdict, "untrusted", "where nobody trusts the service, its results contradict nothing");
});

test("where nobody trusts the service, no provider policy is asked for", async () => {
  const metadata = {
    mediaClass: "image",
    operation: "mark",
    providerId: "marker.one",
    providerPolicyDigest: drawn("policy"),
    providerResult: null,
    softBindingAlg: null,
  } as const;
  const bundle = await vaultBundleOf(await issueVaultStream(2, { ...SHAPE, stated: () => ({ metadata }) }));
  assert.deepEqual(found(bundle, /provider/, NOBODY), ["untrusted"]);
  assert.equal(found(bundle, /provider_not_allowed/)[0], "rejected");
});

test("what is known of a signer in another stream does not reach this one", async () => {
  const elsewhere = { ...trust.signers[0], streams: [id("str", 9)] } as TrustPolicy["signers"][number];
  const { verdict, assurance } = reportOf(good, { signers: [elsewhere] });
  assert.deepEqual([verdict, assurance.provenance?.vault_keys], ["untrusted", "none"]);
});

test("digests that are known already are taken as they are", () => {
  const bytes = kernel.canonicalize(good as unknown as Json);
  const opened = kernel.openJson(bytes);
  const receipts = kernel.openJson(kernel.canonicalize(good.artifacts["receipts.json"] as unknown as Json));
  assert.ok(opened.ok && receipts.ok);
  const told = [VAULT, OTHER_VAULT].map(({ signer }) => signer.publicKeyHex);
  const digests = digestProvenance(kernel, opened.document, bytes, told) ?? assert.fail();
  const { kid } = good.seal;
  const keys = new Map([[kid, Uint8Array.from(Buffer.from(SERVICE.publicKeyHex, "hex"))]]);
  const run = checkReceipts(receipts.document, { streamId: good.manifest.stream_id, keys, isDescribed: true });
  const other = drawn("other");
  const [first, ...others] = digests.envelopes;
  const examined = (changes: object, bundle = good) => {
    const exam = new Examination(kernel, trust);
    exam.kind = "bundle";
    examineProvenance(exam, bundle, { ...run, provenance: { ...digests, ...changes } } as BulkReceipts);
    const { problems, signers } = exam.report();
    const vaults = signers.filter(({ role }) => role === "vault").map(({ kid }) => kid as string);
    if (bundle === good) assert.deepEqual(vaults.sort(), told.map((key) => kidOf(kernel, key)).sort());
    return problems.map(({ code, path }) => `${code} ${path}`);
  };
  assert.deepEqual(examined({}), []);
  const place = `${PART}/envelopes/0/envelope`;
  const knowing = (changes: object) => ({ envelopes: [{ ...first, ...changes }, ...others] });
  assert.deepEqual(examined(knowing({ payloadHash: other })), [`envelope_record_mismatch ${place}`]);
  assert.deepEqual(examined(knowing({ envelopeHash: other })).sort(), [
    "provenance_root_mismatch /manifest/provenance_root",
    `vault_chain_broken ${PART}/envelopes/2/envelope/previousEnvelopeHash`,
  ]);
  assert.equal(examined({ contents: new Map([...digests.contents].map(([event]) => [event, other])) }).length, 4);
  const broken = structuredClone(good);
  const [{ envelope } = assert.fail()] = (broken.artifacts["provenance.json"] as Part).envelopes;
  Object.assign(envelope.seal, { signature: "00".repeat(64) });
  const bad = `envelope_signature_invalid ${place}/seal/signature`;
  assert.deepEqual(examined(knowing({ holdsUnder: null }), broken), [bad]);
  assert.deepEqual(examined(knowing({ holdsUnder: OTHER_VAULT.signer.publicKeyHex }), broken), [bad]);
  assert.deepEqual(examined({}, broken), [], "the seal of the bytes that were looked at held");
  assert.deepEqual(examined({ envelopes: [null, ...others] }), []);
});

test("a part is there whole or not at all, and each missing member is reported", () => {
  const told = (bundle: unknown) =>
    provenanceFaults(bundle as Bundle).map(({ code = "malformed", path }) => `${code} ${path}`);
  assert.deepEqual(told(good), []);
  const without = (change: (copy: Record<string, Record<string, Record<string, unknown>>>) => unknown) => {
    const copy = structuredClone(good) as unknown as Record<string, Record<string, Record<string, unknown>>>;
    change(copy);
    return told(copy);
  };
  const HASH = "/manifest/artifact_hashes/provenance.json";
  const MEMBERS = ["provenance_root", "provenance_event_count", "vault_key_lifecycle"] as const;
  for (const name of MEMBERS)
    assert.deepEqual(
      without((copy) => delete copy.manifest?.[name]),
      [`missing_member /manifest/${name}`],
    );
  assert.deepEqual(
    without((copy) => delete copy.artifacts?.["provenance.json"]),
    [`missing_member ${PART}`],
  );
  assert.deepEqual(
    without((copy) => delete copy.manifest?.artifact_hashes?.["provenance.json"]),
    [`missing_member ${HASH}`],
  );
  const none = (copy: Record<string, Record<string, Record<string, unknown>>>) => {
    for (const name of MEMBERS) delete copy.manifest?.[name];
    delete copy.artifacts?.["provenance.json"];
    delete copy.manifest?.artifact_hashes?.["provenance.json"];
  };
  assert.deepEqual(without(none), ["unknown_member /contents"]);
  assert.deepEqual(
    without((copy) => {
      none(copy);
      delete copy.contents;
    }),
    [],
  );
});

test("the pieces of a part have the forms that they need by themselves, each told at its place", () => {
  const copy = JSON.parse(JSON.stringify(good)) as Bundle;
  const part = copy.artifacts["provenance.json"] as Part;
  const [event = "", content] = Object.entries(copy.contents ?? {})[1] ?? [];
  Object.assign(content?.assurance ?? {}, { level: "L1" });
  Object.assign((copy.manifest.vault_key_lifecycle as Lifecycle)[1] ?? {}, { enrolledAt: at(5000) });
  const record = { attestationKind: "pkcs11-key-custody", challengeId: null, nonce: "00" };
  const providers = [{ providerId: "b" }, { providerId: "a" }];
  Object.assign(part, { attestations: [{ record: { ...record, nonce: null } }, { record }] });
  Object.assign(part, { provider_policies: [{ providers: [] }, { providers }] });
  const paths = provenanceFaults(copy).map(({ path }) => path);
  assert.deepEqual(paths, [
    "/manifest/vault_key_lifecycle/1/statusAt",
    `/contents/${event}/assurance`,
    `${PART}/attestations/1/record/nonce`,
    `${PART}/provider_policies/1/providers/1/providerId`,
  ]);
});
