/**
 * The vault of the worked example: a capsule, the envelope over it as the only event of a stream, the status of the
 * vault's key, and an IVC epoch over the checkpoint of issue.ts. Everything is given, so it is the same bytes each
 * time.
 */
import {
  type Capsule,
  type Checkpoint,
  type Content,
  type Envelope,
  type HashHex,
  type IvcEpoch,
  issueEnvelope,
  issueIvcEpoch,
  issueKeyStatus,
  issueReceipt,
  type KeyStatus,
  leavesOf,
  makeCapsule,
  type OpenedField,
  openField,
  type ReceiptRecord,
  referenceKernel,
  type SealedEnvelope,
  sealedEnvelope,
  ZERO_HASH,
} from "@svc/core";
import { SEEDS, signerOf } from "./issue.ts";

const kernel = referenceKernel;

const INSTALLATION_ID = "ins_01k3c000000000000000000001";
const STREAM_ID = "str_01k3c000000000000000000002";
const RECEIVED_AT = "2026-03-02T09:00:03.000Z";

/** The field that the example opens: the only one whose place depends on the salt. */
export const OPENED = "author";

/** The contents of the capsule. `decoys`: random leaves, by index, where no name stands. */
export const CAPSULE = {
  installationId: INSTALLATION_ID,
  sourceRef: `psr_${"5a".repeat(32)}`,
  capsuleSize: 8,
  slotSalt: "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf",
  fields: [
    {
      name: "content",
      value: { sha256: "9f".repeat(32), size_bytes: 48213, media_type: "image/png" },
      blind: "b0".repeat(32),
    },
    { name: "context", value: { workflow: "claims" }, blind: "b1".repeat(32) },
    { name: "policy", value: { retention: "7y" }, blind: "b2".repeat(32) },
    { name: OPENED, value: "Anna Müller", blind: "b3".repeat(32) },
  ],
  decoys: Object.fromEntries(["2", "4", "5", "6"].map((index) => [index, `d${index}`.repeat(32)])),
} as const;

/** The statements of the vault beside it. */
export const ENVELOPE = {
  streamId: STREAM_ID,
  vaultSeq: 1,
  occurredAt: "2026-03-02T10:00:02+01:00",
  sealedAt: "2026-03-02T09:00:02.750Z",
  eventType: "asset.registered",
  assurance: { level: "L0", attestationRef: null, startId: null } as Content["assurance"],
  metadata: {
    mediaClass: "image",
    operation: "register",
    providerId: null,
    providerPolicyDigest: null,
    providerResult: null,
    softBindingAlg: null,
  } as Content["metadata"],
} as const;

/** The members that the service adds to it as the event of a stream. */
export const PLACE = {
  stream_event_id: "sev_01k3c000000000000000000004",
  seq_no: 1,
  received_at: RECEIVED_AT,
  payload_salt: "8899aabbccddeeff0011223344556677",
} as const;

/** The members of the key status besides the key. */
export const STATUS = {
  installationId: INSTALLATION_ID,
  status: "revoked",
  enrolledAt: "2026-01-05T08:00:00.000Z",
  revokedAt: "2026-03-09T16:30:00.000Z",
  revocationReason: "decommissioned",
  replacedByInstallationId: null,
  revocationInstantReconstructed: false,
  statusAt: "2026-03-10T00:00:00.000Z",
} as const;

/** The epoch's own members. */
export const EPOCH = {
  ivc_epoch_id: "ivc_01k3c000000000000000000001",
  created_at: "2026-03-02T11:00:00.000Z",
} as const;

/** Everything of the vault. */
export interface VaultExample {
  readonly capsule: Capsule;
  readonly opened: OpenedField;
  readonly envelope: Envelope;
  readonly payload: SealedEnvelope;
  readonly record: ReceiptRecord;
  /** The members of the event's leaf under a provenance root. */
  readonly leaf: ReturnType<typeof leavesOf>[number];
  readonly status: KeyStatus;
  readonly epoch: IvcEpoch;
}

/** Issues the vault's part of the example. `checkpoint`: the one that the epoch folds. */
export async function issueVault(checkpoint: Checkpoint): Promise<VaultExample> {
  const service = signerOf(SEEDS.service);
  const vault = signerOf(SEEDS.vault);
  const { decoys, ...owned } = CAPSULE;
  const capsule = makeCapsule(kernel, {
    ...owned,
    fields: owned.fields.map((field) => ({ ...field, blind: field.blind as HashHex })),
    decoy: (index) => decoyAt(decoys, index),
  });
  const envelope = await issueEnvelope(kernel, vault, { ...ENVELOPE, capsule, previousEnvelopeHash: ZERO_HASH });
  const payload = sealedEnvelope(envelope);
  const event = {
    source_ref: CAPSULE.sourceRef,
    event_type: ENVELOPE.eventType,
    occurred_at: ENVELOPE.occurredAt,
    payload,
  };
  const place = { ...PLACE, stream_id: STREAM_ID, previous_event_hash: ZERO_HASH };
  const record = await issueReceipt(kernel, service, event, place);
  const { payload_salt } = PLACE;
  const [leaf] = leavesOf(kernel, [record], [{ seq_no: PLACE.seq_no, payload_salt, envelope: payload }]);
  if (leaf === undefined) throw new Error("the example's stream of envelopes has no leaf");
  const { publicKeyHex } = vault;
  return {
    capsule,
    opened: openField(kernel, capsule, OPENED),
    envelope,
    payload,
    record,
    leaf,
    status: await issueKeyStatus(kernel, service, { ...STATUS, publicKeyHex }),
    epoch: await issueIvcEpoch(kernel, service, { ...EPOCH, previous: null, checkpoints: [checkpoint] }),
  };
}

function decoyAt(decoys: Readonly<Record<string, string>>, index: number): HashHex {
  const decoy = decoys[index];
  if (decoy === undefined) throw new Error(`the example gives no leaf ${index}: a name moved to another place`);
  return decoy as HashHex;
}
