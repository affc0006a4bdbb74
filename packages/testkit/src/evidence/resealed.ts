/**
 * Objects that the service sealed wrongly: their members are changed, and the seal is made again over the changed
 * members. So no hash or signature betrays the change, and only the one broken rule does.
 */
import {
  type Bundle,
  type Checkpoint,
  encodeHex,
  type HashHex,
  headHash,
  type IvcEpoch,
  type ReceiptRecord,
  redactRecord,
  referenceKernel,
  type Signer,
  type Window,
} from "@svc/core";
import {
  checkpointText,
  ED25519_LINE,
  encodeNote,
  encodeNoteLine,
  noteKeyId,
} from "../../../core/src/note/signed-note.ts";
import { artifactHash } from "../../../core/src/objects/bundle/issue.ts";
import { checkpointBody } from "../../../core/src/objects/checkpoint.ts";
import { ivcEpochBody } from "../../../core/src/objects/ivc/schema.ts";
import { eventHash, receiptBody } from "../../../core/src/objects/receipt.ts";
import { windowBody } from "../../../core/src/objects/window.ts";
import { makeSeal } from "../../../core/src/seal.ts";
import { SERVICE } from "./service.ts";
import { cosignLine } from "./vkeys.ts";

const kernel = referenceKernel;

/** Returns a record with other members. Its hashes follow from them, unless they are among the changes. */
export async function resealRecord(
  record: ReceiptRecord,
  changes: Partial<ReceiptRecord>,
  signer: Signer = SERVICE,
): Promise<ReceiptRecord> {
  const changed = { ...record, ...changes };
  const event_hash = changes.event_hash ?? eventHash(kernel, redactRecord(changed));
  const stream_head_hash =
    changes.stream_head_hash ?? headHash(kernel, changed.stream_id, changed.seq_no, event_hash as HashHex);
  const hashed = { ...changed, event_hash, stream_head_hash };
  return { ...hashed, receipt: await makeSeal(kernel, "receipt", receiptBody(redactRecord(hashed)), signer) };
}

/** Returns a window with other members. */
export async function resealWindow(
  window: Window,
  changes: Partial<Window>,
  signer: Signer = SERVICE,
): Promise<Window> {
  const changed = { ...window, ...changes };
  return { ...changed, seal: await makeSeal(kernel, "window", windowBody(changed), signer) };
}

/** Returns a checkpoint with other members. Its note follows from them, unless it is among the changes. */
export async function resealCheckpoint(
  checkpoint: Checkpoint,
  changes: Partial<Checkpoint>,
  signer: Signer = SERVICE,
): Promise<Checkpoint> {
  const changed = { ...checkpoint, ...changes };
  const { origin, window_count, checkpoint_root } = changed;
  const text = checkpointText(origin, window_count, Buffer.from(checkpoint_root, "hex"));
  const line = {
    name: origin,
    keyId: noteKeyId(kernel, origin, ED25519_LINE, signer.publicKeyHex),
    signature: await signer.sign(new TextEncoder().encode(text)),
  };
  const note = changes.note ?? encodeNote(text, [line]);
  return { ...changed, note, seal: await makeSeal(kernel, "checkpoint", checkpointBody(changed), signer) };
}

/**
 * Returns a bundle with another manifest. Its artifact hashes follow from the artifacts, unless they are among the
 * changes.
 */
export async function resealBundle(
  bundle: Bundle,
  changes: Partial<Bundle["manifest"]> = {},
  signer: Signer = SERVICE,
): Promise<Bundle> {
  const hashes = Object.entries(bundle.artifacts).map(([name, artifact]) => [name, artifactHash(kernel, artifact)]);
  const artifact_hashes = Object.fromEntries(hashes) as Bundle["manifest"]["artifact_hashes"];
  const manifest = { ...bundle.manifest, artifact_hashes, ...changes };
  return { ...bundle, manifest, seal: await makeSeal(kernel, "bundle", manifest, signer) };
}

/** Returns an epoch with other members. */
export async function resealEpoch(
  epoch: IvcEpoch,
  changes: Partial<IvcEpoch>,
  signer: Signer = SERVICE,
): Promise<IvcEpoch> {
  const changed = { ...epoch, ...changes };
  return { ...changed, seal: await makeSeal(kernel, "ivc-epoch", ivcEpochBody(changed), signer) };
}

/** Returns another hash, different in the last bit. */
export function otherHash(hash: HashHex): HashHex {
  const bytes = Uint8Array.from(Buffer.from(hash, "hex"));
  bytes[31] = (bytes[31] ?? 0) ^ 1;
  return encodeHex(bytes) as HashHex;
}

/** Returns a checkpoint whose note carries cosignatures, with times in Unix seconds. */
export async function cosigned(
  checkpoint: Checkpoint,
  witnesses: readonly { readonly name: string; readonly signer: Signer; readonly time: number }[],
): Promise<Checkpoint> {
  const { origin, window_count, checkpoint_root } = checkpoint;
  const text = checkpointText(origin, window_count, Buffer.from(checkpoint_root, "hex"));
  const lines = await Promise.all(witnesses.map(({ name, signer, time }) => cosignLine(name, signer, text, time)));
  return { ...checkpoint, note: checkpoint.note + lines.map(encodeNoteLine).join("") };
}
