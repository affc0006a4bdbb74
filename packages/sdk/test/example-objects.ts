/**
 * The objects that examples in docstrings begin with: a running service, a stream of three events with all of its
 * evidence, and the parts from which a service issues evidence by itself. An example names them, and so can be short.
 */
import { generateKeyPairSync, sign } from "node:crypto";
import {
  anchorMember,
  type Bundle,
  checkpointHash,
  encodeHex,
  epochOf,
  hexToBytes,
  issueAnchor,
  type NewEntry,
  type PublicKeyHex,
  pinKeys,
  portableReceiptOf,
  type Signer,
  selectKernel,
  storedEntry,
  writeArchive,
  ZERO_HASH,
} from "@svc/core";
import { startTestService } from "../src/entries/testing.ts";
import { SvcClient } from "../src/index.ts";

export const kernel = selectKernel();
export const service = await startTestService();
export const trust = pinKeys(kernel, [service.publicKeyHex]);
export const client = new SvcClient({ ...service, trust });
export const system_id = service.systemId;

/** An event, and a place in a stream for it. */
export const event = {
  source_ref: "loan-1001",
  event_type: "loan.decided",
  occurred_at: "2026-03-01T09:30:00+01:00",
  payload: { amount: 12500, approved: true },
};
export const place = {
  stream_id: "str_01k3zjv5c7m5n0rhd0sxkqgx2t",
  stream_event_id: "sev_01k3zjv5c7m5n0rhd0sxkqgx2t",
  seq_no: 1,
  previous_event_hash: ZERO_HASH,
  received_at: "2026-03-01T08:30:00.000Z",
  payload_salt: "0".repeat(32),
};

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const rawKey = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
/** A key that is not the service's. */
export const signer: Signer = {
  publicKeyHex: encodeHex(rawKey) as PublicKeyHex,
  sign: (message) => new Uint8Array(sign(null, message, privateKey)),
};

/** A ZIP archive of one entry. */
export const archive = await archiveOf(storedEntry("hello.txt", new TextEncoder().encode("hello")));

/** Resolves to a new stream of three events and its evidence; settings name the stream. */
export async function given() {
  const { stream_id } = await client.createStream({ system_id, use_case: "examples", policy_id: "default" });
  const stream = client.stream(stream_id);
  const [receipt] = await stream.appendBatch([event, event, event]);
  const { occurred_at, payload, source_ref } = event;
  const logged = await client.log.append({
    type: "loan.decided",
    status: "approved",
    occurred_at,
    source_ref,
    payload,
  });
  const pack = await client.auditPackBytes({ stream_id, from_seq_no: 1, to_seq_no: 3 });
  const bundle: Bundle = JSON.parse(new TextDecoder().decode(pack));
  const {
    "receipts.json": records,
    "windows.json": windows,
    "checkpoints.json": checkpoints,
    "witnesses.json": witnesses,
  } = bundle.artifacts;
  const [window, checkpoint, witnessPolicy] = [windows[0], checkpoints[0], witnesses.witness_policies[0]];
  if (receipt === undefined || window === undefined || checkpoint === undefined || witnessPolicy === undefined)
    throw new Error("the service lacks evidence");
  const log = [checkpointHash(kernel, checkpoint)];
  const anchor = await issueAnchor(kernel, signer, {
    anchor_epoch_id: "anc_01k3zjv5c7m5n0rhd0sxkqgx2t",
    epoch: epochOf(kernel, "log.example", 1, log),
    members: [anchorMember(kernel, checkpoint, log)],
    anchoring: null,
    anchored_at: "2026-03-01T08:31:00.000Z",
  });
  const { manifest, key_hints, key_endorsements } = bundle;
  const { window_count, frontier } = manifest.prior_windows;
  /** All that a bundle is issued from but its records. */
  const input = {
    bundle_id: manifest.bundle_id,
    created_at: manifest.created_at,
    stream_id,
    windows,
    checkpoints,
    witnesses,
    prior: { window_count, frontier: frontier.map(hexToBytes) },
    key_hints,
    key_endorsements,
  };
  Object.assign(process.env, {
    SVC_URL: service.baseUrl,
    SVC_API_KEY: service.apiKey,
    SVC_PUBLIC_KEY: service.publicKeyHex,
    SVC_STREAM: stream_id,
  });
  const portable = portableReceiptOf(kernel, bundle, 2);
  return {
    stream,
    receipt,
    pack,
    bundle,
    logged,
    records,
    window,
    checkpoint,
    witnessPolicy,
    anchor,
    input,
    portable,
  };
}

async function archiveOf(entry: NewEntry): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of writeArchive([entry])) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
}
