/** The managed witness's state for each origin that it has signed, and its statements: all SQL about them. */
import type { Checkpoint, HashHex, WitnessStatement } from "@svc/core";
import { expectMoved, type Reader, type Writer } from "@svc/host/store";

/** The last signed state of one origin. Size 0: nothing signed yet. */
export interface WitnessState {
  readonly treeSize: number;
  readonly frontier: readonly HashHex[];
}

/** Resolves to the state of an origin; size 0 if the witness has signed nothing. */
export async function witnessState(reader: Reader, witnessName: string, origin: string): Promise<WitnessState> {
  const row = await reader.first<{ tree_size: number; frontier: string }>(
    "SELECT tree_size, frontier FROM witness_state WHERE witness_name = $1 AND origin = $2",
    witnessName,
    origin,
  );
  return row === null
    ? { treeSize: 0, frontier: [] }
    : { treeSize: row.tree_size, frontier: JSON.parse(row.frontier) as HashHex[] };
}

/** Resolves to the last whole note that a witness has cosigned for an origin; null if there is none. */
export async function signedNote(reader: Reader, witnessName: string, origin: string): Promise<string | null> {
  const sql = "SELECT signed_note FROM witness_state WHERE witness_name = $1 AND origin = $2";
  return (await reader.first<{ signed_note: string }>(sql, witnessName, origin))?.signed_note ?? null;
}

/** Moves the state forward from its place in `old`, and stores the whole signed note. Rejects with WriteConflict. */
export async function moveWitnessState(
  writer: Writer,
  at: { readonly witnessName: string; readonly origin: string },
  old: WitnessState,
  signed: WitnessState & { readonly note: string; readonly cosignedAt: number },
): Promise<void> {
  const changed = await writer.run(
    `INSERT INTO witness_state (witness_name, origin, tree_size, frontier, signed_note, cosigned_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (witness_name, origin) DO UPDATE SET
       tree_size = excluded.tree_size, frontier = excluded.frontier,
       signed_note = excluded.signed_note, cosigned_at = excluded.cosigned_at
     WHERE witness_state.tree_size = $7`,
    at.witnessName,
    at.origin,
    signed.treeSize,
    JSON.stringify(signed.frontier),
    signed.note,
    signed.cosignedAt,
    old.treeSize,
  );
  expectMoved(changed, `the witness state of ${at.origin}`);
}

/** Inserts a statement. */
export async function insertStatement(writer: Writer, tenantId: string, statement: WitnessStatement): Promise<void> {
  await writer.run(
    `INSERT INTO witness_statements (tenant_id, stream_id, checkpoint_id, witness_id, key_epoch, window_count, document)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    tenantId,
    statement.stream_id,
    statement.checkpoint_id,
    statement.witness_id,
    statement.key_epoch,
    statement.window_count,
    JSON.stringify(statement),
  );
}

/** The name of a checkpoint: the stream finds the shard in which it is. */
type CheckpointName = Pick<Checkpoint, "stream_id" | "checkpoint_id">;

/** Resolves to a witness's statement on a checkpoint, with any of its keys; null if there is none. */
export async function statementOn(
  reader: Reader,
  { stream_id, checkpoint_id }: CheckpointName,
  witnessId: string,
): Promise<WitnessStatement | null> {
  const row = await reader.first<{ document: string }>(
    `SELECT document FROM witness_statements WHERE stream_id = $1 AND checkpoint_id = $2 AND witness_id = $3
     ORDER BY key_epoch DESC LIMIT 1`,
    stream_id,
    checkpoint_id,
    witnessId,
  );
  return row === null ? null : (JSON.parse(row.document) as WitnessStatement);
}

/** Resolves to all statements on a checkpoint, in the order in which a bundle lists them. */
export async function statementsOn(
  reader: Reader,
  { stream_id, checkpoint_id }: CheckpointName,
): Promise<WitnessStatement[]> {
  const rows = await reader.all<{ document: string }>(
    "SELECT document FROM witness_statements WHERE stream_id = $1 AND checkpoint_id = $2 ORDER BY witness_id, key_epoch",
    stream_id,
    checkpoint_id,
  );
  return rows.map((row) => JSON.parse(row.document) as WitnessStatement);
}

/**
 * Resolves to the statements on checkpoints of a range of window counts, both ends included, in the order in which a
 * bundle lists them.
 */
export async function statementsOfRange(
  reader: Reader,
  streamId: string,
  fromWindowCount: number,
  toWindowCount: number,
): Promise<WitnessStatement[]> {
  const rows = await reader.all<{ document: string }>(
    `SELECT document FROM witness_statements WHERE stream_id = $1 AND window_count >= $2 AND window_count <= $3
     ORDER BY window_count, witness_id, key_epoch`,
    streamId,
    fromWindowCount,
    toWindowCount,
  );
  return rows.map((row) => JSON.parse(row.document) as WitnessStatement);
}
