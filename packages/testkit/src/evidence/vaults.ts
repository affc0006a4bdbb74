/**
 * Vaults in memory, made of core's issuing functions alone: envelopes as the events of a stream, attestations, the keys
 * of the vaults, and the bundle over it all. Deterministic, so that a test can name what it changes.
 */
import { createHash } from "node:crypto";
import {
  type AttestationResult,
  type Bundle,
  type Capsule,
  type CapsuleSize,
  type Content,
  type CustodyEvidence,
  type Disclosure,
  type DisclosureInput,
  type Envelope,
  type EnvelopeInput,
  envelopeHash,
  type Handover,
  type HashHex,
  issueAttestationRecord,
  issueAttestationResult,
  issueBundle,
  issueDisclosure,
  issueEnvelope,
  issueKeyStatus,
  issueProvenanceInclusion,
  type Json,
  type KeyStatus,
  type KeyStatusBody,
  keepsApart,
  keyHint,
  kidOf,
  leavesOf,
  makeCapsule,
  type ProvenancePart,
  type ProviderPolicy,
  portableReceiptOf,
  provenancePart,
  type QuoteEvidence,
  type RecordedEnvelope,
  redactRecord,
  referenceKernel,
  type SealedEnvelope,
  type ShownInclusion,
  type Signer,
  type Start,
  sealedEnvelope,
  startIdOf,
  type VaultAttestation,
  ZERO_HASH,
} from "@svc/core";
import { at, type Evidence, frontierOf, id, issueStream, SERVICE, type StreamOptions } from "./service.ts";
import { testSigner } from "./signer.ts";

const kernel = referenceKernel;

/** A vault: its installation and its key. */
export interface Vault {
  readonly installationId: string;
  readonly signer: Signer;
}

export const VAULT: Vault = { installationId: id("ins", 1), signer: testSigner("vault") };
export const OTHER_VAULT: Vault = { installationId: id("ins", 2), signer: testSigner("other vault") };
/** The key of one start of the vault. */
export const START_KEY: Signer = testSigner("start");

export const START: Start = {
  startPublicKeyHex: START_KEY.publicKeyHex,
  vaultMeasurement: drawn("measurement"),
  configDigest: drawn("configuration"),
};

/** Evidence of a token without a basis; this release does not judge it. */
export const CUSTODY_EVIDENCE: CustodyEvidence = {
  token: { manufacturer: "Example", model: "Token 2", firmware: "2.4.1", serialSha256: drawn("serial") },
  attributes: {
    sensitive: true,
    alwaysSensitive: true,
    extractable: false,
    neverExtractable: true,
    local: true,
    sign: true,
  },
  basis: "none",
  chain: [],
  ceremony: [],
};

/** Evidence of the start by a machine's quote, in its form alone; this release does not judge it. */
export const QUOTE_EVIDENCE: QuoteEvidence = {
  ekCertificate: "AQID",
  ekChain: ["BAUG"],
  akPublic: "0023000b",
  quoted: "ff544347",
  signature: "0018000b",
  start: START,
  startPcr: 15,
  pcrs: [{ index: 0, digest: drawn("pcr 0") }],
  eventLog: [
    { type: "measure", digest: START.vaultMeasurement },
    { type: "other", digest: drawn("another register") },
  ],
  activations: [],
  challengeProof: null,
};

/** Returns 32 bytes as hex that depend on these words alone. */
export function drawn(...words: readonly (number | string)[]): HashHex {
  return createHash("sha256").update(JSON.stringify(words)).digest("hex") as HashHex;
}

/** The options of a vault's stream. */
export interface VaultOptions extends Omit<StreamOptions, "event"> {
  /** The vault that seals the event of a number; by default VAULT seals all. */
  readonly vaultOf?: (seqNo: number) => Vault;
  /** The statements of the vault about the event of a number, in place of the usual. */
  readonly stated?: (
    seqNo: number,
  ) => Partial<Pick<EnvelopeInput, "assurance" | "metadata" | "sealedAt" | "eventType">>;
  readonly capsuleSize?: CapsuleSize;
  /** The names of the fields beside those that every capsule has; by default `author`. */
  readonly further?: readonly string[];
  /** The value of a further field, in place of a text. */
  readonly furtherValue?: (name: string) => Json;
  /** The content of the event of a number, in place of one that nobody has. */
  readonly contentOf?: (seqNo: number) => CommittedContent;
}

/** The description of a content that a capsule commits to. The content itself stays with its owner. */
export interface CommittedContent {
  readonly sha256: string;
  readonly size_bytes: number;
  readonly media_type: string;
}

const contentDrawn = (no: number): CommittedContent => ({
  sha256: drawn("content", no),
  size_bytes: 1000 + no,
  media_type: "image/png",
});

/** A stream of envelopes, with what stays in the vaults. */
export interface VaultEvidence extends Evidence {
  readonly envelopes: Envelope[];
  readonly capsules: Capsule[];
  readonly vaults: readonly Vault[];
}

const NO_LEVEL: Content["assurance"] = { level: "L0", attestationRef: null, startId: null };
const METADATA: Content["metadata"] = {
  mediaClass: "image",
  operation: "register",
  providerId: null,
  providerPolicyDigest: null,
  providerResult: null,
  softBindingAlg: null,
};

/** Returns the capsule of an event: four listed fields, and an author or others. */
export function capsuleOf(
  vault: Vault,
  no: number,
  capsuleSize: CapsuleSize = 8,
  further: readonly string[] = ["author"],
  contentOf: (seqNo: number) => CommittedContent = contentDrawn,
  furtherValue = (name: string): Json => `${name.charAt(0).toUpperCase()}${name.slice(1)} ${no}`,
): Capsule {
  const sourceRef = `psr_${drawn("source", vault.installationId, no)}`;
  const field = (name: string, value: CapsuleValue) => ({ name, value, blind: drawn("blind", sourceRef, name) });
  const fields = [
    field("content", { ...contentOf(no) }),
    field("context", { workflow: "intake", step: no }),
    field("output", { sha256: drawn("output", no), size_bytes: 77, media_type: "application/json" }),
    field("policy", { retention: "7y" }),
    ...further.map((name) => field(name, furtherValue(name))),
  ];
  let slotSalt = "";
  for (
    let draw = 0;
    slotSalt === "" ||
    !keepsApart(
      kernel,
      fields.map(({ name }) => name),
      slotSalt,
      capsuleSize,
    );
    draw++
  )
    slotSalt = drawn("salt", sourceRef, draw).slice(0, 32);
  const decoy = (index: number) => drawn("decoy", sourceRef, index);
  return makeCapsule(kernel, { installationId: vault.installationId, sourceRef, capsuleSize, slotSalt, fields, decoy });
}

type CapsuleValue = Capsule["fields"][number]["value"];

/** Resolves to a stream of envelopes, `perWindow` events a window and `perCheckpoint` windows a checkpoint. */
export async function issueVaultStream(events: number, options: VaultOptions = {}): Promise<VaultEvidence> {
  const {
    vaultOf = () => VAULT,
    stated = () => ({}),
    capsuleSize = 8,
    further,
    contentOf,
    furtherValue,
    streamNo = 1,
  } = options;
  const envelopes: Envelope[] = [];
  const capsules: Capsule[] = [];
  const newest = new Map<string, SealedEnvelope>();
  const evidence = await issueStream(events, {
    ...options,
    event: async (no) => {
      const vault = vaultOf(no);
      const capsule = capsuleOf(vault, no, capsuleSize, further, contentOf, furtherValue);
      const before = newest.get(vault.installationId);
      const input: EnvelopeInput = {
        capsule,
        streamId: id("str", streamNo),
        vaultSeq: (before?.vaultSeq ?? 0) + 1,
        previousEnvelopeHash: before === undefined ? ZERO_HASH : envelopeHash(kernel, before),
        occurredAt: "2026-03-01T09:30:00+01:00",
        sealedAt: at(no),
        eventType: "asset.registered",
        assurance: NO_LEVEL,
        metadata: METADATA,
        ...stated(no),
      };
      const start = input.assurance.level === "L2" ? [START_KEY] : [];
      const envelope = await issueEnvelope(kernel, vault.signer, input, ...start);
      const payload = sealedEnvelope(envelope);
      newest.set(vault.installationId, payload);
      envelopes.push(envelope);
      capsules.push(capsule);
      const { eventType: event_type, occurredAt: occurred_at } = input;
      return { source_ref: capsule.sourceRef, event_type, occurred_at, payload };
    },
  });
  const all = Array.from({ length: events }, (_, index) => vaultOf(index + 1));
  return { ...evidence, envelopes, capsules, vaults: [...new Set(all)] };
}

/** Returns the status of a vault's key at a time: active, unless more is given. */
export function statusOf(
  { installationId, signer }: Vault,
  statusAt: string,
  more: Partial<KeyStatusBody> = {},
): KeyStatusBody {
  const { publicKeyHex = signer.publicKeyHex } = more;
  return {
    installationId,
    keyId: kidOf(kernel, publicKeyHex),
    publicKeyHex,
    status: "active",
    enrolledAt: at(-1000),
    revokedAt: null,
    revocationReason: null,
    replacedByInstallationId: null,
    revocationInstantReconstructed: false,
    statusAt,
    ...more,
  };
}

/** Resolves to a status that the service has sealed. */
export function sealedStatus(vault: Vault, more: Partial<KeyStatusBody> = {}, signer = SERVICE): Promise<KeyStatus> {
  return issueKeyStatus(kernel, signer, statusOf(vault, at(1000), more));
}

/** The differences of an attestation from the ordinary one. */
export type AttestationOptions = Partial<Omit<AttestationResult, "seal">> & {
  readonly createdAt?: string;
  readonly withEvidence?: boolean;
  readonly evidence?: CustodyEvidence | QuoteEvidence;
  readonly signer?: Signer;
};

/** Resolves to an attestation that a vault's key is kept in a token, by the service's word. */
export function custodyOf(vault: Vault = VAULT, options: AttestationOptions = {}): Promise<VaultAttestation> {
  return attestationOf("pkcs11-key-custody", vault, {
    attestationRef: id("att", 1),
    assuranceCapability: "L1",
    custody: "x509",
    expiresAt: at(89 * 86_400),
    ...options,
  });
}

/** Resolves to an attestation of a start of a vault, by the service's word. */
export function startOf(vault: Vault = VAULT, options: AttestationOptions = {}): Promise<VaultAttestation> {
  const start = options.start ?? START;
  const { installationId, signer } = vault;
  return attestationOf("tpm2-quote", vault, {
    attestationRef: id("att", 2),
    assuranceCapability: "L2",
    start,
    startId: startIdOf(kernel, { installationId, publicKeyHex: signer.publicKeyHex }, start),
    ekCertificateSha256: drawn("ek"),
    akName: `000b${drawn("ak")}`,
    referenceValuesDigest: drawn("reference values"),
    expiresAt: at(80_000),
    ...options,
  });
}

async function attestationOf(
  attestationKind: AttestationResult["attestationKind"],
  vault: Vault,
  options: AttestationOptions & Pick<AttestationResult, "attestationRef" | "assuranceCapability" | "expiresAt">,
): Promise<VaultAttestation> {
  const { createdAt = at(-11), withEvidence = false, evidence: shown = CUSTODY_EVIDENCE, ...more } = options;
  const { signer = SERVICE, ...result } = more;
  const { installationId } = vault;
  const challenge = { challengeId: id("vch", 1), nonce: drawn("nonce", installationId) };
  const said = { attestationKind, installationId, createdAt, ...challenge };
  const { evidence, ...bare } = await issueAttestationRecord(kernel, vault.signer, said, shown);
  const record = withEvidence && evidence !== undefined ? { ...bare, evidence } : bare;
  return {
    record,
    result: await issueAttestationResult(kernel, signer, record, {
      verified: true,
      reason: null,
      custody: null,
      startId: null,
      start: null,
      ekCertificateSha256: null,
      akName: null,
      softwareRoot: false,
      referenceValuesDigest: null,
      verifiedAt: at(-10),
      ...result,
    }),
  };
}

/** The parts of a provenance bundle beside its envelopes. */
export interface ProvenanceOptions {
  readonly firstWindow?: number;
  readonly signer?: Signer;
  readonly attestations?: readonly VaultAttestation[];
  readonly handovers?: readonly Handover[];
  readonly policies?: readonly ProviderPolicy[];
  /** Changes of the key of each vault. */
  readonly status?: (vault: Vault) => Partial<KeyStatusBody>;
  /** Whether the content of an event is shown; by default each is. */
  readonly shows?: (seqNo: number) => boolean;
}

/** The time at which bundles of vaults are made. */
export const BUNDLED_AT = at(1000);

/** Returns the records of a bundle from a window on, with their envelopes. */
function rangeOf(evidence: VaultEvidence, firstWindow: number) {
  const windows = evidence.windows.slice(firstWindow - 1);
  const from = windows[0]?.from_seq_no ?? 1;
  const records = evidence.records.filter(({ seq_no }) => seq_no >= from);
  const envelopes = records.map(
    ({ seq_no, payload_salt = "" }): RecordedEnvelope => ({
      seq_no,
      payload_salt,
      envelope: sealedEnvelope(evidence.envelopes[seq_no - 1] as Envelope),
    }),
  );
  return { windows, records, envelopes };
}

/** Returns the provenance part of a bundle over the windows from number `firstWindow` on. */
export function provenanceOf(evidence: VaultEvidence, options: ProvenanceOptions = {}): ProvenancePart {
  const { firstWindow = 1, attestations = [], handovers = [], policies = [] } = options;
  const { status = () => ({}), shows = () => true } = options;
  const { records, envelopes } = rangeOf(evidence, firstWindow);
  const here = new Set(envelopes.map(({ envelope }) => envelope.installationId));
  const shown = records.filter(({ seq_no }) => shows(seq_no));
  const byRef = (one: VaultAttestation) => one.result?.attestationRef ?? "";
  return provenancePart(kernel, {
    records,
    envelopes,
    attestations: [...attestations].sort((a, b) => (byRef(a) < byRef(b) ? -1 : 1)),
    handovers: [...handovers],
    provider_policies: [...policies],
    lifecycle: evidence.vaults
      .filter(({ installationId }) => here.has(installationId))
      .sort((a, b) => (a.installationId < b.installationId ? -1 : 1))
      .map((vault) => statusOf(vault, BUNDLED_AT, status(vault))),
    contents: Object.fromEntries(
      shown.map(({ stream_event_id, seq_no }) => [stream_event_id, evidence.envelopes[seq_no - 1]?.content as Content]),
    ),
  });
}

/** Resolves to a bundle over a provenance stream. */
export function vaultBundleOf(evidence: VaultEvidence, options: ProvenanceOptions = {}): Promise<Bundle> {
  const { firstWindow = 1, signer = SERVICE } = options;
  const { windows, records } = rangeOf(evidence, firstWindow);
  const checkpoints = evidence.checkpoints.filter(({ window_count }) => window_count >= firstWindow);
  const ids = new Set(checkpoints.map(({ checkpoint_id }) => checkpoint_id));
  return issueBundle(kernel, signer, {
    bundle_id: id("bundle", 1),
    created_at: BUNDLED_AT,
    stream_id: windows[0]?.stream_id ?? "",
    records: records.map(redactRecord),
    windows,
    checkpoints,
    witnesses: {
      policies: evidence.policies,
      witness_policies: [evidence.witnessPolicy],
      statements: evidence.statements.filter(({ checkpoint_id }) => ids.has(checkpoint_id)),
    },
    prior: { window_count: firstWindow - 1, frontier: frontierOf(evidence.windows.slice(0, firstWindow - 1)) },
    provenance: provenanceOf(evidence, options),
    key_hints: [keyHint(kernel, signer.publicKeyHex)],
    key_endorsements: [],
  });
}

/** Returns the proof that an event is under the provenance root of a bundle, beside the bundle's manifest. */
export function inclusionOf({ manifest, artifacts, seal, key_hints }: Bundle, seqNo: number): ShownInclusion {
  const { envelopes = [] } = artifacts["provenance.json"] ?? {};
  const checkpoints = artifacts["checkpoints.json"];
  const ends = [checkpoints[0]?.checkpoint_id ?? "", checkpoints.at(-1)?.checkpoint_id ?? ""] as const;
  const leaves = leavesOf(kernel, artifacts["receipts.json"], envelopes);
  const inclusion = issueProvenanceInclusion(kernel, leaves, seqNo, ends);
  return { inclusion, manifest: manifest as ShownInclusion["manifest"], seal, key_hints };
}

/** The differences of a disclosure from the ordinary one. */
export type DisclosureOptions = Partial<Omit<DisclosureInput, "opened" | "envelope">> & {
  readonly names?: readonly string[];
  readonly isSealed?: boolean;
  readonly isReceiptAlone?: boolean;
};

/** Resolves to the disclosure of one event of a stream: all fields, with a portable receipt and the key's status. */
export async function disclosureOf(
  evidence: VaultEvidence,
  seqNo: number,
  { names, isSealed = false, isReceiptAlone = false, ...more }: DisclosureOptions = {},
): Promise<Disclosure> {
  const envelope = evidence.envelopes[seqNo - 1] as Envelope;
  const capsule = evidence.capsules[seqNo - 1] as Capsule;
  const vault = evidence.vaults.find(({ installationId }) => installationId === envelope.installationId) ?? VAULT;
  const { "provenance.json": _, ...artifacts } = (await vaultBundleOf(evidence)).artifacts;
  const record = evidence.records[seqNo - 1];
  const payloads = Object.fromEntries(
    evidence.records.map(({ stream_event_id, payload = {}, payload_salt = "" }) => [
      stream_event_id,
      { payload, payload_salt },
    ]),
  );
  const legacy = { ...(await vaultBundleOf(evidence)), artifacts, payloads };
  const portable = portableReceiptOf(kernel, legacy, seqNo);
  const alone = record === undefined ? null : { format: portable.format, version: portable.version, receipt: record };
  return issueDisclosure(kernel, isSealed ? vault.signer : null, {
    disclosureId: id("dsc", seqNo),
    audience: null,
    nonce: null,
    disclosedAt: at(2000),
    envelope,
    receipt: isReceiptAlone ? alone : portable,
    keyStatus: await sealedStatus(vault),
    attestations: [],
    ...more,
    opened: { capsule, names: names ?? capsule.fields.map(({ name }) => name) },
  });
}
