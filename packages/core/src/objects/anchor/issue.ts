/**
 * How a service makes an anchor of an epoch of its log (protocol section 12), and its members with their paths. Sending the epoch hash to
 * a chain, and getting the evidence from there, is not done here.
 */
import { encodeHex, hexToBytes } from "../../encoding/hex.ts";
import { encodeUtf8 } from "../../encoding/utf8.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import { checkpointText, ED25519_LINE, encodeNote, type NoteLine, noteKeyId } from "../../note/signed-note.ts";
import type { HashHex } from "../../schema/atoms.ts";
import { makeSeal, type Signer } from "../../seal.ts";
import { type Checkpoint, checkpointHash } from "../checkpoint.ts";
import type { Epoch } from "./epoch.ts";
import type { Anchor, AnchorEvidence, AnchorMember } from "./schema.ts";

/** Where an epoch hash was sent, and, once it is mined, what shows it there. */
export interface Anchoring {
  /** CAIP-2. */
  readonly network: string;
  /** Lowercase hex with 0x, like the transaction's hash and the block's. */
  readonly contract: string;
  readonly tx_hash: string;
  /** Null until it is mined. */
  readonly mined: {
    readonly block_number: number;
    readonly block_hash: string;
    readonly evidence: AnchorEvidence;
  } | null;
}

/** What a service knows of an anchor before it seals it. */
export interface AnchorInput {
  readonly anchor_epoch_id: string;
  readonly epoch: Epoch;
  readonly members: readonly AnchorMember[];
  /** Null for an epoch that is only published. */
  readonly anchoring: Anchoring | null;
  /** Cosignature lines to stand in the note behind the service's own. */
  readonly cosignatures?: readonly NoteLine[];
  readonly anchored_at: string;
}

/** The epoch over these leaves of the service log: all checkpoint hashes, in order of creation. RangeError for an empty log. */
export function epochOf(kernel: Kernel, origin: string, epoch_no: number, checkpointHashes: readonly HashHex[]): Epoch {
  if (checkpointHashes.length === 0) throw new RangeError("an epoch covers at least one checkpoint");
  const leaves = checkpointHashes.map((hash) => kernel.leafHash(hexToBytes(hash)));
  const epoch_root = encodeHex(kernel.rootFromLeafHashes(leaves)) as HashHex;
  return { origin, epoch_no, log_size: checkpointHashes.length, epoch_root };
}

/** A checkpoint's place in an epoch, with its path. RangeError where the log, as far as the epoch goes, does not hold it. */
export function anchorMember(
  kernel: Kernel,
  checkpoint: Checkpoint,
  checkpointHashes: readonly HashHex[],
): AnchorMember {
  const checkpoint_hash = checkpointHash(kernel, checkpoint);
  const leaf_index = checkpointHashes.indexOf(checkpoint_hash);
  if (leaf_index < 0) throw new RangeError(`the service log does not hold ${checkpoint.checkpoint_id}`);
  const leaves = checkpointHashes.map((hash) => kernel.leafHash(hexToBytes(hash)));
  const path = kernel.proveInclusion(leaves, leaf_index);
  return {
    checkpoint_id: checkpoint.checkpoint_id,
    checkpoint_hash,
    leaf_index,
    inclusion_path: path.map((hash) => encodeHex(hash) as HashHex),
  };
}

/** Seals an anchor and signs its note. */
export async function issueAnchor(kernel: Kernel, signer: Signer, input: AnchorInput): Promise<Anchor> {
  const { epoch, anchoring, cosignatures = [] } = input;
  const { origin, log_size, epoch_root } = epoch;
  const text = checkpointText(origin, log_size, hexToBytes(epoch_root));
  const line = {
    name: origin,
    keyId: noteKeyId(kernel, origin, ED25519_LINE, signer.publicKeyHex),
    signature: await signer.sign(encodeUtf8(text)),
  };
  const unsealed = {
    note: encodeNote(text, [line, ...cosignatures]),
    members: [...input.members],
    evidence: anchoring?.mined?.evidence ?? null,
  };
  const body = {
    anchor_epoch_id: input.anchor_epoch_id,
    origin,
    epoch_no: epoch.epoch_no,
    log_size,
    epoch_root,
    network: anchoring?.network ?? null,
    contract: anchoring?.contract ?? null,
    tx_hash: anchoring?.tx_hash ?? null,
    block_number: anchoring?.mined?.block_number ?? null,
    block_hash: anchoring?.mined?.block_hash ?? null,
    anchored_at: input.anchored_at,
  };
  return { ...body, ...unsealed, seal: await makeSeal(kernel, "anchor", body, signer) };
}
