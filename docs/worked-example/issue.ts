/**
 * The worked example of docs/protocol.md: three events in two windows under one checkpoint, cosigned by one witness, as
 * a bundle. Core issues it from fixed seeds, identifiers and times, so it is the same bytes each time. annex.ts shows
 * it. The part of a vault is in issue-vault.ts.
 */
import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import {
  type Bundle,
  type Checkpoint,
  type EventInput,
  type HashHex,
  type Inclusion,
  issueBundle,
  issueCheckpoint,
  issueInclusion,
  issueReceipt,
  issueWindow,
  issueWitnessStatement,
  keyHint,
  kidOf,
  type Policy,
  type PublicKeyHex,
  policyDigest,
  type ReceiptRecord,
  referenceKernel,
  type Signer,
  type TrustPolicy,
  type Window,
  type WitnessPolicy,
  type WitnessStatement,
  witnessPolicyDigest,
  ZERO_HASH,
} from "@svc/core";

const kernel = referenceKernel;
const PKCS8_ED25519 = Buffer.from("302e020100300506032b657004220420", "hex");

/** The seeds of RFC 8032 private keys, in hex; published, and so secret to nobody. */
export const SEEDS = {
  service: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
  witness: "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f",
  vault: "404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f",
} as const;

const SERVICE_ORIGIN = "log.example";
const STREAM_ID = "str_01k3c000000000000000000001";
const CLOSED_AT = "2026-03-02T09:00:10.000Z";
const CREATED_AT = "2026-03-02T09:00:11.000Z";

/** The inputs of the checkpoint besides the windows. */
export const CHECKPOINT = {
  checkpoint_id: "chk_01k3c000000000000000000001",
  service_origin: SERVICE_ORIGIN,
  created_at: CREATED_AT,
} as const;

/** The manifest's own members. */
export const BUNDLE = {
  bundle_id: "bundle_01k3c000000000000000000001",
  created_at: "2026-03-02T10:00:00.000Z",
} as const;

/** When the witness cosigns, in Unix seconds: 2026-03-02T09:00:12Z. */
export const COSIGNED_AT = 1_772_442_012;

const POLICY: Policy = {
  policy_id: "default",
  policy_version: 1,
  window_max_events: 2,
  window_max_seconds: 10,
  checkpoint_max_windows: 2,
  anchor: "none",
};

/** An event as its source and the service give it. */
export interface GivenEvent extends EventInput {
  readonly stream_event_id: string;
  readonly seq_no: number;
  readonly received_at: string;
  readonly payload_salt: string;
}

/** Payloads that J changes: members out of order, letters beyond ASCII, an escape, a fraction. */
export const EVENTS: readonly GivenEvent[] = [
  {
    stream_event_id: "sev_01k3c000000000000000000001",
    seq_no: 1,
    source_ref: "loan-1001",
    event_type: "loan.decided",
    occurred_at: "2026-03-02T10:00:00+01:00",
    received_at: "2026-03-02T09:00:01.250Z",
    payload: { city: "Zürich", amount: 12500, approved: true },
    payload_salt: "00112233445566778899aabbccddeeff",
  },
  {
    stream_event_id: "sev_01k3c000000000000000000002",
    seq_no: 2,
    source_ref: "loan-1002",
    event_type: "loan.decided",
    occurred_at: "2026-03-02T10:00:01+01:00",
    received_at: "2026-03-02T09:00:02.000Z",
    payload: { city: "Basel", amount: 900.5, approved: false, reason: "income\nnot proven" },
    payload_salt: "0123456789abcdef0123456789abcdef",
  },
  {
    stream_event_id: "sev_01k3c000000000000000000003",
    seq_no: 3,
    source_ref: "loan-1001",
    event_type: "loan.paid",
    occurred_at: "2026-03-02T09:00:02.123456789Z",
    received_at: "2026-03-02T09:00:02.500Z",
    payload: { to: null, parts: [5000, 7500] },
    payload_salt: "fedcba9876543210fedcba9876543210",
  },
];

/** The windows: which events each covers, and its own members. */
export const WINDOWS = [
  { window_id: "win_01k3c000000000000000000001", window_no: 1, from_seq_no: 1, to_seq_no: 2, closed_at: CLOSED_AT },
  { window_id: "win_01k3c000000000000000000002", window_no: 2, from_seq_no: 3, to_seq_no: 3, closed_at: CLOSED_AT },
] as const;

/** Everything of the example. */
export interface Example {
  readonly stream_id: string;
  readonly policy: Policy;
  readonly witnessPolicy: WitnessPolicy;
  readonly records: readonly ReceiptRecord[];
  readonly windows: readonly Window[];
  /** Shows that event 2 is in window 1. */
  readonly inclusion: Inclusion;
  readonly checkpoint: Checkpoint;
  readonly statement: WitnessStatement;
  readonly bundle: Bundle;
  /** The policy under which the bundle is `verified`. */
  readonly trust: TrustPolicy;
}

/** Issues the example, from the first event to the bundle. */
export async function issueExample(): Promise<Example> {
  const service = signerOf(SEEDS.service);
  const witness = signerOf(SEEDS.witness);
  const witnessPolicy = witnessPolicyOf(witness.publicKeyHex);
  const records = await issueRecords(service);
  const hashesOf = (from: number, to: number) => records.slice(from - 1, to).map(({ event_hash }) => event_hash);
  const digests = {
    policy_digest: policyDigest(kernel, POLICY),
    witness_policy_digest: witnessPolicyDigest(kernel, witnessPolicy),
  };
  const windows: Window[] = [];
  for (const { to_seq_no, ...named } of WINDOWS) {
    const event_hashes = hashesOf(named.from_seq_no, to_seq_no);
    windows.push(await issueWindow(kernel, service, { ...named, ...digests, stream_id: STREAM_ID, event_hashes }));
  }
  const checkpoint = await issueCheckpoint(kernel, service, {
    ...CHECKPOINT,
    previous: null,
    frontier: [],
    windows,
    latest_event_hash: records.at(-1)?.event_hash as HashHex,
    policy_id: POLICY.policy_id,
  });
  const [witnessKey] = witnessPolicy.witnessKeys;
  const [firstWindow] = windows;
  if (witnessKey === undefined || firstWindow === undefined) throw new Error("the example lacks a witness or a window");
  const statement = await issueWitnessStatement(kernel, witness, witnessKey, checkpoint, COSIGNED_AT);
  const bundle = await issueBundle(kernel, service, {
    ...BUNDLE,
    stream_id: STREAM_ID,
    records,
    windows,
    checkpoints: [checkpoint],
    witnesses: { policies: [POLICY], witness_policies: [witnessPolicy], statements: [statement] },
    prior: { window_count: 0, frontier: [] },
    key_hints: [keyHint(kernel, service.publicKeyHex)],
    key_endorsements: [],
  });
  return {
    stream_id: STREAM_ID,
    policy: POLICY,
    witnessPolicy,
    records,
    windows,
    inclusion: issueInclusion(kernel, firstWindow, hashesOf(1, 2), 2),
    checkpoint,
    statement,
    bundle,
    trust: trustIn(service.publicKeyHex, witness.publicKeyHex),
  };
}

async function issueRecords(service: Signer): Promise<ReceiptRecord[]> {
  const records: ReceiptRecord[] = [];
  for (const { stream_event_id, seq_no, received_at, payload_salt, ...event } of EVENTS) {
    const previous_event_hash = records.at(-1)?.event_hash ?? ZERO_HASH;
    const place = { stream_id: STREAM_ID, stream_event_id, seq_no, previous_event_hash, received_at, payload_salt };
    records.push(await issueReceipt(kernel, service, event, place));
  }
  return records;
}

function witnessPolicyOf(public_key_hex: PublicKeyHex): WitnessPolicy {
  return {
    policy_id: "default",
    policy_version: 1,
    mode: "independent",
    threshold: 1,
    witnessKeys: [
      {
        witness_id: "w1",
        name: "w1.example",
        public_key_hex,
        key_epoch: 1,
        valid_from: "2026-01-01T00:00:00.000Z",
        valid_to: null,
        managed: false,
      },
    ],
    declared_at: "2026-01-01T00:00:00.000Z",
  };
}

function trustIn(service: PublicKeyHex, witness: PublicKeyHex): TrustPolicy {
  return {
    signers: [{ kid: kidOf(kernel, service), public_key_hex: service, origin: SERVICE_ORIGIN }],
    witnesses: [{ name: "w1.example", public_key_hex: witness }],
    quorum: 1,
    require: ["included", "witnessed"],
    expect: { stream_id: STREAM_ID, from_seq_no: 1, to_seq_no: 3 },
  };
}

/** Returns the signer whose RFC 8032 private key is this seed. */
export function signerOf(seedHex: string): Signer {
  const der = Buffer.concat([PKCS8_ED25519, Buffer.from(seedHex, "hex")]);
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  return {
    publicKeyHex: Buffer.from(x, "base64url").toString("hex") as PublicKeyHex,
    sign: (message) => new Uint8Array(sign(null, message, privateKey)),
  };
}
