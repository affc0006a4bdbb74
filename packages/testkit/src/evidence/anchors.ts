/**
 * Anchors of the test service: its log over all its checkpoints, behind two of other streams, and a chain in memory
 * that holds its epochs. Deterministic.
 */
import {
  type Anchor,
  type Anchoring,
  anchorMember,
  type Checkpoint,
  checkpointHash,
  epochHash,
  epochOf,
  type HashHex,
  issueAnchor,
  type NoteLine,
  referenceKernel,
  type TrustPolicy,
} from "@svc/core";
import { CONTRACT, type MadeBlock, makeBlock } from "./chain.ts";
import { at, id, ORIGIN, SERVICE } from "./service.ts";

const kernel = referenceKernel;

export const NETWORK = "eip155:31337";
const OTHER_STREAMS: readonly HashHex[] = ["1".repeat(64) as HashHex, "2".repeat(64) as HashHex];

/** The state of a test anchor, and its differences from the ordinary one. */
export interface AnchorOptions {
  readonly state?: "published" | "pending" | "mined";
  readonly epochNo?: number;
  readonly origin?: string;
  readonly signer?: typeof SERVICE;
  readonly cosignatures?: readonly NoteLine[];
  /** The block's time, in seconds after the start of the test stream. */
  readonly blockAt?: number;
  /** As `makeBlock` takes it. */
  readonly depth?: number;
  /** The contract's value for the epoch in place of its hash; bare hex. */
  readonly written?: string;
  /** Changes the anchoring before it is sealed. */
  readonly change?: (anchoring: Anchoring) => Anchoring;
}

/** Returns the leaves of the service log up to these checkpoints. */
export function serviceLog(checkpoints: readonly Checkpoint[]): HashHex[] {
  return [...OTHER_STREAMS, ...checkpoints.map((checkpoint) => checkpointHash(kernel, checkpoint))];
}

/** Returns an anchor whose epoch ends with these checkpoints and has them as members. */
export async function anchorOf(checkpoints: readonly Checkpoint[], options: AnchorOptions = {}): Promise<Anchor> {
  const { state = "mined", epochNo = 3, origin = ORIGIN, signer = SERVICE, cosignatures = [] } = options;
  const log = serviceLog(checkpoints);
  const epoch = epochOf(kernel, origin, epochNo, log);
  const block = blockWith(epochNo, options.written ?? epochHash(kernel, epoch), options.blockAt, options.depth);
  const { block_number, block_hash, evidence } = block;
  const anchoring: Anchoring = {
    network: NETWORK,
    contract: CONTRACT,
    tx_hash: `0x${"ab".repeat(32)}`,
    mined: state === "mined" ? { block_number, block_hash, evidence } : null,
  };
  const { change = (same: Anchoring) => same } = options;
  return issueAnchor(kernel, signer, {
    anchor_epoch_id: id("anc", epochNo),
    epoch,
    members: checkpoints.map((checkpoint) => anchorMember(kernel, checkpoint, log)),
    anchoring: state === "published" ? null : change(anchoring),
    cosignatures,
    anchored_at: at(500),
  });
}

/** Returns a block that holds this hash for the epoch, and others for its neighbours. */
export function blockWith(epochNo: number, hash: string, blockAt = 400, depth = 0): MadeBlock {
  const epochs = new Map(Array.from({ length: 9 }, (_, index) => [index + 1, `${index + 1}`.repeat(64)]));
  return makeBlock(4660, Date.parse(at(blockAt)) / 1000, epochs.set(epochNo, hash), epochNo, depth);
}

/** Returns the pins of an anchor's block and contract. */
export function pinsOf({ block_number, block_hash }: Anchor): Pick<TrustPolicy, "blocks" | "contracts"> {
  const { code_hash } = blockWith(1, "1".repeat(64));
  return {
    blocks: [{ network: NETWORK, number: block_number ?? 0, hash: block_hash ?? "" }],
    contracts: [{ network: NETWORK, address: CONTRACT, code_hash }],
  };
}
