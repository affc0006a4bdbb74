/**
 * The shape of an anchor: one epoch of the service log, sealed and noted, with its evidence on a public chain (protocol
 * section 12). state.ts decides whether its nulls fit each other.
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

/**
 * One checkpoint under the epoch: its place in the service log, and the path from there to the epoch's root. As JSON,
 * shortened:
 *
 * ```json
 * {"checkpoint_id":"chk_01k3…","checkpoint_hash":"f1726c…","leaf_index":2,"inclusion_path":["84dbe1…"]}
 * ```
 */
export const AnchorMember = Closed({
  checkpoint_id: CheckpointId,
  checkpoint_hash: Hash,
  /** From 0. */
  leaf_index: Count,
  inclusion_path: Type.Array(Hash),
});
export type AnchorMember = Type.Static<typeof AnchorMember>;

/**
 * The evidence from a block hash to the epoch hash (protocol section 12); bare lowercase hex. As JSON, shortened:
 *
 * ```json
 * {"block_header_rlp":"f90212…","account_proof":["f90151…"],"storage_proof":["f8b180…"]}
 * ```
 */
export const AnchorEvidence = Closed({
  block_header_rlp: Bytes,
  /** From the state root to the contract's account; the root's node first. */
  account_proof: Type.Array(Bytes),
  /** From the account's storage root to the slot of the epoch; the root's node first. */
  storage_proof: Type.Array(Bytes),
});
export type AnchorEvidence = Type.Static<typeof AnchorEvidence>;

/**
 * An epoch of the service log, sealed and noted, alone or with its evidence on a public chain (protocol section 12). As
 * JSON, shortened:
 *
 * ```json
 * {"anchor_epoch_id":"anc_01k3…","origin":"test.example/evidence","epoch_no":3,"log_size":4,"epoch_root":"8ec1db…",
 *  "network":"eip155:31337","contract":"0xc0dec0…","tx_hash":"0xababab…","block_number":4660,
 *  "block_hash":"0xea60fb…","anchored_at":"2026-03-01T00:08:20.000Z","seal":{},
 *  "note":"test.example/evidence\n4\njsHb…","members":[],"evidence":{}}
 * ```
 */
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
