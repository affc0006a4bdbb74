/**
 * Makes evidence for measuring, in memory, under keys that nobody keeps: one stream of loan decisions, its windows, one
 * checkpoint that one witness has cosigned, and the bundle over it all. Its times are fixed; it reads no clock.
 */
import { generateKeyPairSync, sign } from "node:crypto";
import {
  hexToBytes,
  issueBundle,
  issueCheckpoint,
  issueReceipt,
  issueWindow,
  issueWitnessStatement,
  type Kernel,
  keyHint,
  type Policy,
  type PublicKeyHex,
  pinKeys,
  policyDigest,
  type ReceiptRecord,
  type SignatureItem,
  type Signer,
  type TrustPolicy,
  type Window,
  type WitnessPolicy,
  witnessPolicyDigest,
  ZERO_HASH,
} from "@svc/core";

const EVENTS_A_WINDOW = 64;
const TIME = "2026-03-31T23:58:11.000Z";
const STREAM = idOf("str", 1);

/** The evidence: JSON bytes, signatures by themselves, and the trust policy under which all of it is verified. */
export interface BenchEvidence {
  readonly receipt: Uint8Array;
  readonly bundle: Uint8Array;
  readonly signatures: readonly SignatureItem[];
  readonly trust: TrustPolicy;
}

/** Makes a stream of so many events. */
export async function benchEvidence(kernel: Kernel, events: number): Promise<BenchEvidence> {
  const [service, witness] = [newSigner(), newSigner()];
  const policy: Policy = {
    policy_id: "default",
    policy_version: 1,
    window_max_events: EVENTS_A_WINDOW,
    window_max_seconds: 60,
    checkpoint_max_windows: 1024,
    anchor: "none",
  };
  const witnessPolicy = witnessPolicyOf(witness.publicKeyHex);
  const records = await issueRecords(kernel, service, events);
  const digests = {
    policy_digest: policyDigest(kernel, policy),
    witness_policy_digest: witnessPolicyDigest(kernel, witnessPolicy),
  };
  const windows: Window[] = [];
  for (let from = 0; from < events; from += EVENTS_A_WINDOW) {
    const place = { window_no: windows.length + 1, from_seq_no: from + 1, closed_at: TIME };
    const event_hashes = records.slice(from, from + EVENTS_A_WINDOW).map(({ event_hash }) => event_hash);
    const window_id = idOf("win", windows.length + 1);
    windows.push(
      await issueWindow(kernel, service, { window_id, stream_id: STREAM, ...place, event_hashes, ...digests }),
    );
  }
  const checkpoint = await issueCheckpoint(kernel, service, {
    checkpoint_id: idOf("chk", 1),
    service_origin: "bench.example/evidence",
    previous: null,
    frontier: [],
    windows,
    latest_event_hash: records.at(-1)?.event_hash ?? ZERO_HASH,
    policy_id: policy.policy_id,
    created_at: TIME,
  });
  const as = { witness_id: "managed", key_epoch: 1 };
  const statement = await issueWitnessStatement(kernel, witness, as, checkpoint, Date.parse(TIME) / 1000);
  const bundle = await issueBundle(kernel, service, {
    bundle_id: idOf("bundle", 1),
    created_at: TIME,
    stream_id: STREAM,
    records,
    windows,
    checkpoints: [checkpoint],
    witnesses: { policies: [policy], witness_policies: [witnessPolicy], statements: [statement] },
    anchors: [],
    forks: [],
    prior: { window_count: 0, frontier: [] },
    key_hints: [keyHint(kernel, service.publicKeyHex)],
    key_endorsements: [],
  });
  return {
    receipt: bytesOf(records[0]),
    bundle: bytesOf(bundle),
    signatures: await signaturesBy(service, events),
    trust: pinKeys(kernel, [service.publicKeyHex]),
  };
}

async function issueRecords(kernel: Kernel, service: Signer, events: number): Promise<ReceiptRecord[]> {
  const records: ReceiptRecord[] = [];
  for (let seq_no = 1; seq_no <= events; seq_no++) {
    const event = {
      source_ref: `loan-${1000 + seq_no}`,
      event_type: "loan.decided",
      occurred_at: "2026-03-31T09:30:00+02:00",
      payload: { applicant: `A${seq_no}`, amount: 12_500 + seq_no, approved: seq_no % 3 !== 0 },
    };
    const place = {
      stream_id: STREAM,
      stream_event_id: idOf("sev", seq_no),
      seq_no,
      previous_event_hash: records.at(-1)?.event_hash ?? ZERO_HASH,
      received_at: TIME,
      payload_salt: `${seq_no}`.padStart(32, "0"),
    };
    records.push(await issueReceipt(kernel, service, event, place));
  }
  return records;
}

/** Resolves to signatures of messages as long as a receipt's. */
async function signaturesBy(service: Signer, count: number): Promise<SignatureItem[]> {
  const publicKey = hexToBytes(service.publicKeyHex);
  const messages = Array.from({ length: count }, (_, index) => new TextEncoder().encode(`${index}`.padStart(500, "-")));
  return Promise.all(messages.map(async (message) => ({ publicKey, message, signature: await service.sign(message) })));
}

function witnessPolicyOf(public_key_hex: PublicKeyHex): WitnessPolicy {
  const key = { witness_id: "managed", name: "bench.example/witness", public_key_hex, key_epoch: 1 };
  return {
    policy_id: "default",
    policy_version: 1,
    mode: "managed-shadow",
    threshold: 1,
    witnessKeys: [{ ...key, valid_from: "2026-01-01T00:00:00.000Z", valid_to: null, managed: true }],
    declared_at: "2026-01-01T00:00:00.000Z",
  };
}

function newSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  return {
    publicKeyHex: Buffer.from(x, "base64url").toString("hex") as PublicKeyHex,
    sign: (message) => new Uint8Array(sign(null, message, privateKey)),
  };
}

function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function idOf(prefix: string, number: number): string {
  return `${prefix}_${`${number}`.padStart(26, "0")}`;
}
