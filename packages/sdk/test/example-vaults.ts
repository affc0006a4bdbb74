/**
 * The objects of vaults that examples in docstrings begin with: a capsule, three envelopes as the events of a stream,
 * and what belongs to them. One key stands for the vault and for the service.
 */
import {
  type CapsuleInput,
  type CustodyEvidence,
  type DisclosureInput,
  type EnvelopeInput,
  type HashHex,
  issueAttestationRecord,
  issueAttestationResult,
  issueEnvelope,
  issueKeyStatus,
  issueReceipt,
  leavesOf,
  makeCapsule,
  type ProvenanceInput,
  type ReferenceValues,
  type Start,
  sealedEnvelope,
  type VaultAttestation,
  ZERO_HASH,
} from "@svc/core";
import { kernel, place, signer } from "./example-objects.ts";

const INSTALLATION_ID = "ins_01k3zjv5c7m5n0rhd0sxkqgx2t";
const { publicKeyHex } = signer;

/** The fields of one event, with fixed blinds in place of random ones. */
export const capsuleInput: CapsuleInput = {
  installationId: INSTALLATION_ID,
  sourceRef: `psr_${"5a".repeat(32)}`,
  capsuleSize: 8,
  slotSalt: "a0e2e0cd2af9dbebf454e57efee017e7",
  fields: [
    {
      name: "content",
      value: { sha256: hashOf(1), size_bytes: 48_213, media_type: "image/png" },
      blind: hashOf(2),
    },
    { name: "author", value: "A. Author", blind: hashOf(3) },
  ],
  decoy: (index) => hashOf(16 + index),
};

/** Everything of an envelope but its capsule. */
export const envelopeInput: Omit<EnvelopeInput, "capsule"> = {
  streamId: place.stream_id,
  vaultSeq: 1,
  previousEnvelopeHash: ZERO_HASH,
  occurredAt: "2026-03-01T08:29:59.000Z",
  sealedAt: "2026-03-01T08:30:00.000Z",
  eventType: "asset.registered",
  assurance: { level: "L0", attestationRef: null, startId: null },
  metadata: {
    mediaClass: "image",
    operation: "register",
    providerId: null,
    providerPolicyDigest: null,
    providerResult: null,
    softBindingAlg: null,
  },
};

const capsule = makeCapsule(kernel, capsuleInput);
export const envelope = await issueEnvelope(kernel, signer, { ...envelopeInput, capsule });

/** The word of the service about the vault's key. */
export const keyStatus = await issueKeyStatus(kernel, signer, {
  installationId: INSTALLATION_ID,
  publicKeyHex,
  status: "active",
  enrolledAt: "2026-02-01T00:00:00.000Z",
  revokedAt: null,
  revocationReason: null,
  replacedByInstallationId: null,
  revocationInstantReconstructed: false,
  statusAt: "2026-03-02T00:00:00.000Z",
});
const { seal: _seal, ...lifecycle } = keyStatus;

const payload = sealedEnvelope(envelope);
const recorded = [1, 2, 3].map((seq_no) => ({ seq_no, payload_salt: place.payload_salt, envelope: payload }));
const records = await Promise.all(
  recorded.map(({ seq_no }) => {
    const { occurredAt: occurred_at, eventType: event_type } = envelopeInput;
    const event = { source_ref: capsuleInput.sourceRef, event_type, occurred_at, payload };
    return issueReceipt(kernel, signer, event, { ...place, seq_no });
  }),
);

/** The envelopes of three events, and what belongs to them. */
export const provenanceInput: ProvenanceInput = {
  records,
  envelopes: recorded,
  attestations: [],
  handovers: [],
  provider_policies: [],
  lifecycle: [lifecycle],
};
export const provenanceLeaves = leavesOf(kernel, records, recorded);

export const start: Start = {
  startPublicKeyHex: publicKeyHex,
  vaultMeasurement: hashOf(4),
  configDigest: hashOf(5),
};
export const custodyEvidence: CustodyEvidence = {
  token: { manufacturer: "Example", model: "Token 2", firmware: "2.4.1", serialSha256: hashOf(6) },
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
export const attestation: VaultAttestation = await attested();
export const referenceValues: ReferenceValues = {
  policyId: "vault-reference",
  policyVersion: 1,
  startPcr: 15,
  pcrs: [{ index: 0, values: [hashOf(7)] }],
  measurements: [{ vaultMeasurement: hashOf(4), configDigests: [hashOf(5)] }],
  others: [],
};

/** The parts that the holder of the capsule shows beside the fields that are opened. */
export const disclosureInput: Omit<DisclosureInput, "opened"> = {
  disclosureId: "dsc_01k3zjv5c7m5n0rhd0sxkqgx2t",
  audience: null,
  nonce: null,
  disclosedAt: "2026-03-03T00:00:00.000Z",
  envelope,
  receipt: null,
  keyStatus,
  attestations: [],
};

async function attested(): Promise<VaultAttestation> {
  const challenge = { challengeId: "vch_01k3zjv5c7m5n0rhd0sxkqgx2t", nonce: hashOf(8) };
  const said = {
    attestationKind: "pkcs11-key-custody",
    installationId: INSTALLATION_ID,
    createdAt: "2026-03-01T00:00:00.000Z",
    ...challenge,
  } as const;
  const record = await issueAttestationRecord(kernel, signer, said, custodyEvidence);
  const result = await issueAttestationResult(kernel, signer, record, {
    attestationRef: "att_01k3zjv5c7m5n0rhd0sxkqgx2t",
    assuranceCapability: "L1",
    verified: true,
    reason: null,
    custody: "x509",
    startId: null,
    start: null,
    ekCertificateSha256: null,
    akName: null,
    softwareRoot: false,
    referenceValuesDigest: null,
    verifiedAt: "2026-03-01T00:00:01.000Z",
    expiresAt: "2026-04-01T00:00:00.000Z",
  });
  return { record, result };
}

/** Returns a fixed value in the form of a hash. */
function hashOf(number: number): HashHex {
  return number.toString(16).padStart(64, "0") as HashHex;
}
