/** The statements of witnesses: all SQL about them. */
import type { Checkpoint, WitnessStatement } from "@svc/core";
import type { Reader, Writer } from "@svc/host/store";

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

/** Resolves to a witness's statement on a checkpoint, with any of its keys, or null. */
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
    "SELECT document FROM witness_statements WHERE stream_id = $1 AND checkpoint_id = $2 ORDER BY witness_id, " +
      "key_epoch",
    stream_id,
    checkpoint_id,
  );
  return rows.map((row) => JSON.parse(row.document) as WitnessStatement);
}

/** Resolves to a witness's statement on the last checkpoint of a stream that has one, or null. */
export async function lastStatement(
  reader: Reader,
  streamId: string,
  witnessId: string,
): Promise<WitnessStatement | null> {
  const row = await reader.first<{ document: string }>(
    `SELECT document FROM witness_statements WHERE stream_id = $1 AND witness_id = $2
     ORDER BY window_count DESC, key_epoch DESC LIMIT 1`,
    streamId,
    witnessId,
  );
  return row === null ? null : (JSON.parse(row.document) as WitnessStatement);
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

/** Resolves to whether anything is signed by a witness, or published. */
export async function isSigned(reader: Reader): Promise<boolean> {
  const sql = "SELECT 1 AS one WHERE EXISTS (SELECT 1 FROM witness_statements) OR EXISTS (SELECT 1 FROM epochs)";
  return (await reader.first(sql)) !== null;
}
