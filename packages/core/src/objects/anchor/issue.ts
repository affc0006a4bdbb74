/**
 * Issues an anchor of an epoch of a service's log (protocol section 12), and its members with their paths. It does NOT
 * send the epoch hash to a chain, nor fetch the evidence from there.
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

/** The place to which an epoch hash was sent, and the evidence from there once it is mined. */
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

/** The input of an anchor: everything that a service knows before it seals it. */
export interface AnchorInput {
  readonly anchor_epoch_id: string;
  readonly epoch: Epoch;
  readonly members: readonly AnchorMember[];
  /** Null for an epoch that is only published. */
  readonly anchoring: Anchoring | null;
  /** Cosignature lines for the note, behind the service's own line. */
  readonly cosignatures?: readonly NoteLine[];
  readonly anchored_at: string;
}

/**
 * Returns the epoch over the leaves of the service log (protocol section 12). `origin`: the service's own. `epoch_no`:
 * from 1. `checkpointHashes`: all leaves, in the order of creation, 64 lowercase hex characters each. Throws RangeError
 * for an empty log, and TypeError for a hash that is not hex.
 *
 * @example
 * const epoch = epochOf(kernel, "log.example", 1, [checkpointHash(kernel, checkpoint)]);
 * console.log(epoch.log_size, epoch.epoch_root === anchor.epoch_root); // 1 true
 */
export function epochOf(kernel: Kernel, origin: string, epoch_no: number, checkpointHashes: readonly HashHex[]): Epoch {
  if (checkpointHashes.length === 0) throw new RangeError("an epoch covers at least one checkpoint");
  const leaves = checkpointHashes.map((hash) => kernel.leafHash(hexToBytes(hash)));
  const epoch_root = encodeHex(kernel.rootFromLeafHashes(leaves)) as HashHex;
  return { origin, epoch_no, log_size: checkpointHashes.length, epoch_root };
}

/**
 * Returns a checkpoint's place in an epoch, with its path (protocol section 12). `checkpointHashes`: all leaves of the
 * epoch, in order, 64 lowercase hex characters each. Throws RangeError if they do not hold the checkpoint. It does not
 * check that they give the epoch's root: `verify` does.
 *
 * @example
 * const member = anchorMember(kernel, checkpoint, [ZERO_HASH, checkpointHash(kernel, checkpoint)]);
 * console.log(member.leaf_index, member.inclusion_path.length); // 1 1
 */
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

/**
 * Seals an anchor and signs its note (protocol section 12). `signer`: the service's key. `input`: the epoch, its
 * members, and the chain; `anchored_at` is YYYY-MM-DDTHH:MM:SS.mmmZ. Resolves to the anchor; rejects as `signer.sign`
 * does. It checks nothing of its input: `verify` does.
 *
 * @example
 * const log = [checkpointHash(kernel, checkpoint)];
 * const issued = await issueAnchor(kernel, signer, {
 *   anchor_epoch_id: "anc_01k3zjv5c7m5n0rhd0sxkqgx2t",
 *   epoch: epochOf(kernel, "log.example", 1, log),
 *   members: [anchorMember(kernel, checkpoint, log)],
 *   anchoring: null,
 *   anchored_at: "2026-03-01T08:31:00.000Z",
 * });
 * const own = pinKeys(kernel, [signer.publicKeyHex]);
 * console.log(verify(kernel.canonicalize(issued), { trust: own }).verdict); // verified
 */
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
