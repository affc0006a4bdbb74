/** The last tree for which the database has a statement of a witness: where its memory begins if it has none. */
import type { Checkpoint, Kernel } from "@svc/core";
import type { Reader } from "@svc/host/store";
import { policyByDigest } from "../policies/policies-store.ts";
import type { SignedTree } from "../witness-memory/memory-store.ts";
import { checkpointOfStream } from "./checkpoints-store.ts";
import { cosignedNote } from "./cosigned-note.ts";
import { frontierAfter } from "./frontier.ts";
import { lastStatement } from "./statements-store.ts";

/** Resolves to that tree of a checkpoint's stream; null if no statement is there. */
export async function lastSigned(
  reader: Reader,
  kernel: Kernel,
  { stream_id, policy_id }: Pick<Checkpoint, "stream_id" | "policy_id">,
  witnessId: string,
): Promise<SignedTree | null> {
  const statement = await lastStatement(reader, stream_id, witnessId);
  if (statement === null) return null;
  const stored = await checkpointOfStream(reader, stream_id, statement.checkpoint_id);
  if (stored === null) throw new Error(`checkpoint ${statement.checkpoint_id} is missing from the database`);
  const { checkpoint, frontierBefore } = stored;
  const { window_count, window_roots, witness_policy_digest } = checkpoint;
  const hashes = window_roots.map(({ window_hash }) => window_hash);
  const named = await policyByDigest(reader, policy_id, witness_policy_digest);
  return {
    treeSize: window_count,
    frontier: frontierAfter(kernel, window_count - hashes.length, frontierBefore, hashes),
    note: cosignedNote(kernel, checkpoint, named?.witnessPolicy.witnessKeys ?? [], [statement]),
    cosignedAt: statement.cosigned_at,
  };
}
