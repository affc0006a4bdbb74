/** The level of one event, with attestations whose evidence holds by own check: each condition of L3 by itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { at, id } from "@svc/testkit/evidence/service";
import { drawn, OTHER_VAULT, START_KEY, statusOf, VAULT } from "@svc/testkit/evidence/vaults";
import { encodeHex, kidOf, referenceKernel, type TrustPolicy } from "../../src/index.ts";
import { examineLevels, type VaultEvent } from "../../src/objects/assurance/events.ts";
import {
  type Attested,
  HIGHEST_CONDITIONS,
  type HighestCondition,
  KnownAttestations,
} from "../../src/objects/assurance/level.ts";
import { LevelTally } from "../../src/objects/assurance/tally.ts";
import { envelopeBody } from "../../src/objects/envelope/issue.ts";
import { Examination } from "../../src/report/examination.ts";
import { sealedBytes } from "../../src/seal.ts";

const kernel = referenceKernel;
const { installationId, signer } = VAULT;
const START_ID = drawn("start");
const ORDINARY: Attested = {
  attestationRef: id("att", 1),
  attestationKind: "pkcs11-key-custody",
  installationId,
  publicKeyHex: signer.publicKeyHex,
  verified: true,
  verifiedAt: at(10),
  expiresAt: at(30),
  custody: "x509",
  startId: null,
  startPublicKeyHex: null,
  softwareRoot: false,
  recheck: "held",
  isActivated: false,
  counts: true,
};
const START: Attested = {
  ...ORDINARY,
  attestationRef: id("att", 2),
  attestationKind: "tpm2-quote",
  custody: "none",
  startId: START_ID,
  startPublicKeyHex: START_KEY.publicKeyHex,
  isActivated: true,
};
const TRUST: TrustPolicy = { signers: [], attestation_roots: [], status_not_before: at(5) };
const SEAL = {
  alg: "Ed25519",
  kid: kidOf(kernel, START_KEY.publicKeyHex),
  signature: "00".repeat(64),
} as unknown as VaultEvent["envelope"]["seal"];
const UNSEALED = {
  installationId,
  streamId: id("str", 1),
  sourceRef: "psr_1",
  vaultSeq: 1,
  previousEnvelopeHash: drawn("before"),
  capsuleRoot: drawn("root"),
  contentHash: drawn("content"),
  seal: SEAL,
} as VaultEvent["envelope"];
const STARTED = sealedBytes(kernel, "envelope-start", envelopeBody(UNSEALED), SEAL.kid);
const ENVELOPE = {
  ...UNSEALED,
  startSeal: { ...SEAL, signature: encodeHex(await START_KEY.sign(STARTED)) },
} as VaultEvent["envelope"];

type Claim = NonNullable<VaultEvent["content"]>["assurance"];
const L2: Claim = { level: "L2", attestationRef: null, startId: START_ID };
const L1: Claim = { level: "L1", attestationRef: ORDINARY.attestationRef, startId: null };

/** The differences from an event that meets every condition of L3. */
interface Changes {
  readonly claim?: Claim | null;
  readonly receivedAt?: string | null;
  readonly key?: Partial<VaultEvent["key"]>;
  readonly start?: Partial<Attested>;
  readonly custody?: Partial<Attested>;
  readonly more?: readonly Attested[];
  readonly trust?: Partial<TrustPolicy>;
  readonly quorumMet?: boolean;
  readonly pinned?: number;
  readonly anchored?: Examination["anchored"];
  readonly envelope?: Partial<VaultEvent["envelope"]>;
  readonly mayLack?: boolean;
}

function levelled(changes: Changes = {}) {
  const {
    claim = L2,
    receivedAt = at(20),
    quorumMet = true,
    pinned = 1,
    anchored = "pinned",
    mayLack = false,
  } = changes;
  const trust = { ...TRUST, ...changes.trust };
  const exam = new Examination(kernel, trust);
  exam.kind = "disclosure";
  Object.assign(exam, { quorumMet, anchored, witnessed: { required: 0, valid: pinned, pinned } });
  const key: VaultEvent["key"] = {
    installationId,
    publicKeyHex: signer.publicKeyHex,
    vouched: "pinned",
    status: statusOf(VAULT, at(5)),
    toldAt: null,
    ...changes.key,
  };
  const event: VaultEvent = {
    seqNo: 3,
    envelope: { ...ENVELOPE, ...changes.envelope },
    path: "/envelope",
    content: claim === null ? null : ({ assurance: claim } as VaultEvent["content"]),
    contentPath: "/envelope/content",
    receivedAt,
    key,
  };
  const all = [{ ...START, ...changes.start }, { ...ORDINARY, ...changes.custody }, ...(changes.more ?? [])];
  const tally = new LevelTally();
  examineLevels(exam, [event], { carrying: new KnownAttestations(all), mayLack }, tally);
  const facts = {
    installations: 1,
    vaultChain: "none",
    vaultKeys: "pinned",
    custodies: [],
    hasSoftwareRoot: false,
  } as const;
  const [level, ...others] = exam.levels;
  assert.ok(level !== undefined && others.length === 0);
  const { claimed, effective } = tally.sum(facts);
  const { checks, problems } = exam.report();
  const { status } = checks.find(({ id }) => id === "assurance") ?? {};
  return { level, claimed, effective, status, problems: problems.map(({ code, path }) => `${code} ${path}`) };
}

test("an event that meets every condition is at L3, by the verifier's own word", () => {
  const { level, claimed, effective } = levelled();
  assert.deepEqual(level, {
    seq_no: 3,
    source_ref: "psr_1",
    installation_id: installationId,
    claimed: "L2",
    effective: "L3",
    substantiated_by: "verifier",
    missing: null,
  });
  assert.deepEqual(claimed, { L0: 0, L1: 0, L2: 1, unknown: 0 });
  assert.deepEqual(effective, { L0: 0, L1: 0, L2: 0, L3: 1 });
});

test("each condition of L3 that is not met is the one that is missing", () => {
  const unmet: readonly (readonly [HighestCondition, Changes])[] = [
    ["vault_key_pinned", { key: { vouched: "service-vouched" } }],
    ["independent_activation", { start: { isActivated: false } }],
    ["custody_x509", { custody: { custody: "ceremony" } }],
    ["custody_x509", { custody: { recheck: "unsubstantiated" } }],
    ["custody_x509", { custody: { installationId: OTHER_VAULT.installationId } }],
    ["custody_x509", { custody: { verifiedAt: at(21) } }],
    ["custody_x509", { custody: { expiresAt: at(19) } }],
    ["no_software_root", { custody: { softwareRoot: true }, trust: { allow_software_roots: true } }],
    ["quorum", { quorumMet: false }],
    // As under `quorum none`, which asks for nobody.
    ["quorum", { pinned: 0 }],
    ["pinned_block", { anchored: "unpinned" }],
    ["status_not_before", { key: { status: null } }],
    ["status_not_before", { key: { status: statusOf(VAULT, at(4)) } }],
  ];
  for (const [condition, changes] of unmet) {
    const { level } = levelled(changes);
    assert.deepEqual([level.effective, level.missing], ["L2", condition], JSON.stringify(changes));
    assert.equal(level.substantiated_by, "verifier");
  }
  const { status_not_before: _, ...undemanding } = TRUST;
  const exam = levelled({ trust: { ...undemanding, status_not_before: undefined } as unknown as TrustPolicy });
  assert.equal(exam.level.missing, "status_not_before");
  const named = new Set([...unmet.map(([condition]) => condition), "own_l2"]);
  assert.deepEqual(named, new Set(HIGHEST_CONDITIONS));
});

test("a token is in force from the first instant of its attestation to the last, and one of several is enough", () => {
  for (const custody of [{ verifiedAt: at(20) }, { expiresAt: at(20) }])
    assert.equal(levelled({ custody }).level.effective, "L3", JSON.stringify(custody));
  const ended = { custody: { expiresAt: at(19) } };
  assert.equal(levelled({ ...ended, more: [{ ...ORDINARY, attestationRef: id("att", 3) }] }).level.effective, "L3");
});

test("without L2 by own check, the other conditions of L3 raise nothing", () => {
  const byService = levelled({ trust: { attestation_roots: undefined } as unknown as TrustPolicy }).level;
  assert.deepEqual([byService.effective, byService.missing, byService.substantiated_by], ["L2", "own_l2", "service"]);
  const l1 = levelled({ claim: L1, start: { isActivated: true }, custody: { isActivated: true } }).level;
  assert.deepEqual([l1.effective, l1.missing, l1.substantiated_by], ["L1", "start", "verifier"]);
});

test("a content that is withheld claims nothing, and one that is shown is looked at", () => {
  const withheld = levelled({ claim: null });
  assert.deepEqual([withheld.level.claimed, withheld.level.effective, withheld.level.missing], [null, "L0", "content"]);
  assert.deepEqual([withheld.status, withheld.claimed.unknown], ["not_checked", 1]);
  const nothing = levelled({ claim: { level: "L0", attestationRef: null, startId: null } });
  assert.deepEqual([nothing.level.claimed, nothing.level.missing, nothing.status], ["L0", "claim", "pass"]);
});

test("a claim is carried by what it names alone, and without a receipt by nothing", () => {
  const undated = levelled({ receivedAt: null });
  assert.deepEqual([undated.level.effective, undated.level.missing], ["L0", "attestation"]);
  assert.deepEqual(undated.problems, []);
  const unnamed: Claim = { level: "L1", attestationRef: id("att", 9), startId: null };
  assert.deepEqual(levelled({ claim: unnamed, mayLack: true }).problems, []);
  const refused = ["provenance_assurance_not_substantiated /envelope/content/assurance"];
  assert.deepEqual(levelled({ claim: unnamed }).problems, refused);
  const late = { claim: L1, custody: { expiresAt: at(19) }, mayLack: true };
  assert.deepEqual(levelled(late).problems, refused, "it is here, and does not carry the claim");
});

test("a start seal is by the key of the start that is named, and without it the claim counts L0", () => {
  assert.deepEqual(levelled().problems, []);
  const other = { ...SEAL, kid: kidOf(kernel, signer.publicKeyHex) };
  for (const [place, startSeal] of [["signature", SEAL] as const, ["kid", other] as const]) {
    const { level, effective, problems } = levelled({ envelope: { startSeal } });
    assert.deepEqual(problems, [`start_signature_invalid /envelope/startSeal/${place}`]);
    assert.deepEqual([level.effective, level.substantiated_by, level.missing], ["L0", "none", "attestation"]);
    assert.deepEqual(effective, { L0: 1, L1: 0, L2: 0, L3: 0 });
  }
  assert.deepEqual(levelled({ claim: L1 }).problems, [], "nobody asks for it at another level");
  assert.deepEqual(levelled({ start: { startPublicKeyHex: null } }).problems, []);
});
