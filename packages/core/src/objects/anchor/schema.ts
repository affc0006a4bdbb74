/**
 * The shape of an anchor: one epoch of the service log, sealed and noted, with what of it stands on a public chain (protocol section 12).
 * Whether its nulls fit each other is not a matter of shape: see state.ts.
 */
import {
  AnchorId,
  Bytes,
  CheckpointId,
  Closed,
  Count,
  Hash,
  NullableAddress,
  NullableBytes32,
  NullableCount,
  NullableNetwork,
  Ordinal,
  ServiceOrigin,
  ServiceTime,
} from "../../schema/atoms.ts";
import * as Type from "../../schema/type.ts";
import { Seal } from "../../seal.ts";

/** One checkpoint under the epoch: its place in the service log and the path from there to the epoch's root. */
export const AnchorMember = Closed({
  checkpoint_id: CheckpointId,
  checkpoint_hash: Hash,
  /** From 0. */
  leaf_index: Count,
  inclusion_path: Type.Array(Hash),
});
export type AnchorMember = Type.Static<typeof AnchorMember>;

/** What leads from a block hash to the epoch hash; bare lowercase hex. */
export const AnchorEvidence = Closed({
  block_header_rlp: Bytes,
  /** From the state root to the contract's account; the root's node first. */
  account_proof: Type.Array(Bytes),
  /** From the account's storage root to the slot of the epoch; the root's node first. */
  storage_proof: Type.Array(Bytes),
});
export type AnchorEvidence = Type.Static<typeof AnchorEvidence>;

export const Anchor = Closed(
  {
    anchor_epoch_id: AnchorId,
    /** The service's own origin. */
    origin: ServiceOrigin,
    epoch_no: Ordinal,
    log_size: Ordinal,
    epoch_root: Hash,
    network: NullableNetwork,
    contract: NullableAddress,
    tx_hash: NullableBytes32,
    block_number: NullableCount,
    block_hash: NullableBytes32,
    anchored_at: ServiceTime,
    seal: Seal,
    note: Type.String(),
    members: Type.Array(AnchorMember),
    evidence: Type.Unsafe<AnchorEvidence | null>({ ...AnchorEvidence, type: ["object", "null"] }),
  },
  { $id: "anchor" },
);
export type Anchor = Type.Static<typeof Anchor>;
