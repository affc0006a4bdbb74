/** The leaves of the service log, each with the nodes that it completes: all SQL about them. */
import type { HashHex } from "@svc/core";
import { inList, type Reader, type Writer, written } from "@svc/host/store";

/** A leaf. */
export interface LeafRow {
  /** From 0. */
  readonly leaf_index: number;
  readonly checkpoint_id: string;
  readonly checkpoint_hash: HashHex;
  /** The hashes of the whole subtrees that end with it, in one text, the smallest first; 64 characters each. */
  readonly nodes: string;
  /** The latest time of a checkpoint up to here: no epoch over it has an earlier one. */
  readonly latest_created_at: string;
}

const SELECT = "SELECT leaf_index, checkpoint_id, checkpoint_hash, nodes, latest_created_at FROM service_log_leaves";

/** Inserts leaves. */
export async function insertLeaves(writer: Writer, leaves: readonly LeafRow[]): Promise<void> {
  await writer.insert(
    {
      table: "service_log_leaves",
      columns: ["leaf_index", "checkpoint_id", "checkpoint_hash", "nodes", "latest_created_at"],
    },
    leaves.map((leaf) => [
      leaf.leaf_index,
      leaf.checkpoint_id,
      leaf.checkpoint_hash,
      leaf.nodes,
      leaf.latest_created_at,
    ]),
  );
}

/** Resolves to the last leaf; null for an empty log. */
export function lastLeaf(reader: Reader): Promise<LeafRow | null> {
  return reader.first<LeafRow>(`${SELECT} ORDER BY leaf_index DESC LIMIT 1`);
}

/** Resolves to the size of the log. */
export async function logSize(reader: Reader): Promise<number> {
  const last = await lastLeaf(reader);
  return last === null ? 0 : last.leaf_index + 1;
}

/** Resolves to a leaf; null if the log does not reach so far. */
export function leafAt(reader: Reader, leafIndex: number): Promise<LeafRow | null> {
  return reader.first<LeafRow>(`${SELECT} WHERE leaf_index = $1`, leafIndex);
}

/** Resolves to those of these leaves that there are. */
export function leavesAt(reader: Reader, leafIndexes: readonly number[]): Promise<LeafRow[]> {
  const { sql, values } = written((place) => `${SELECT} WHERE ${inList("leaf_index", leafIndexes)(place)}`);
  return reader.all<LeafRow>(sql, ...values);
}

/** Resolves to the leaf of a checkpoint; null if it is not in the log. */
export function leafOf(reader: Reader, checkpointId: string): Promise<LeafRow | null> {
  return reader.first<LeafRow>(`${SELECT} WHERE checkpoint_id = $1`, checkpointId);
}

/** Resolves to the ids of those of these checkpoints that are in the log. */
export async function loggedAmong(reader: Reader, checkpointIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { sql, values } = written(
    (place) => `SELECT checkpoint_id FROM service_log_leaves WHERE ${inList("checkpoint_id", checkpointIds)(place)}`,
  );
  const rows = await reader.all<{ checkpoint_id: string }>(sql, ...values);
  return new Set(rows.map(({ checkpoint_id }) => checkpoint_id));
}
