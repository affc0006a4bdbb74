/** The state of an epoch: where it begins, and what one checkpoint makes of it (protocol section 32). */
import { concatBytes } from "../../encoding/bytes.ts";
import { encodeHex, hexToBytes } from "../../encoding/hex.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import { taggedHash } from "../../protocol.ts";
import type { HashHex } from "../../schema/atoms.ts";
import type { Checkpoint } from "../checkpoint.ts";
import type { CosignedCheckpoint } from "../cosignatures.ts";

/** The first byte of a step: no leaf and no node of a Merkle tree is hashed with it. */
const STEP = new Uint8Array([2]);

/** A checkpoint with its hash. */
export type HashedCheckpoint = Checkpoint & CosignedCheckpoint;

/** Returns the state before checkpoint 1 of a stream; 64 lowercase hex characters. */
export function genesisState(kernel: Kernel, stream_id: string, origin: string): HashHex {
  return encodeHex(taggedHash(kernel, "genesis", kernel.canonicalize({ stream_id, origin }))) as HashHex;
}

/** Returns the state after a checkpoint. `state`: the one before it. */
export function nextState(kernel: Kernel, state: HashHex, checkpoint: HashedCheckpoint): HashHex {
  return encodeHex(kernel.sha256(concatBytes([STEP, hexToBytes(state), message(checkpoint)]))) as HashHex;
}

/** Returns the 184 bytes of a step: three numbers and five hashes. */
function message(checkpoint: HashedCheckpoint): Uint8Array {
  const { checkpoint_no, window_count, to_seq_no } = checkpoint;
  const { checkpoint_root, stream_head_hash, checkpoint_hash, policy_digest, witness_policy_digest } = checkpoint;
  const hashes = [checkpoint_root, stream_head_hash, checkpoint_hash, policy_digest, witness_policy_digest];
  return concatBytes([...[checkpoint_no, window_count, to_seq_no].map(bigEndian64), ...hashes.map(hexToBytes)]);
}

/** Returns a number of at most 2^53 - 1 as 8 bytes, the highest first. */
function bigEndian64(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}
