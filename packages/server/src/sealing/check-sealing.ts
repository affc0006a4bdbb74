/**
 * Checks windows, checkpoints and witness statements of a stream: each row against its document, and the row of the
 * stream against the last of them.
 */
import { type Checkpoint, checkpointHash, type Window, type WitnessStatement, windowHash } from "@svc/core";
import { difference, type Fault, type RawRow, type StrayRule, strayRows } from "@svc/host/checks";
import { latest } from "@svc/host/clock";
import type { CheckContext } from "../check-context.ts";
import { sealFault } from "../keys/check-keys.ts";
import { eachStream } from "../streams/each-stream.ts";
import { eventsOfRange } from "../streams/events-store.ts";
import type { StreamRow } from "../streams/streams-store.ts";
import { checkWitnessMemory } from "./check-witness.ts";
import { documentOf } from "./document-of.ts";
import { COSIGN } from "./make-checkpoints.ts";
import { rawCheckpoints, rawStatements, rawWindows } from "./rows-store.ts";

const PORTION = 100;
const STRAYS: readonly StrayRule[] = [
  {
    table: "windows",
    id: "window_id",
    fault: "its stream is not there",
    where: "e.stream_id NOT IN (SELECT stream_id FROM streams)",
  },
  {
    table: "checkpoints",
    id: "checkpoint_id",
    fault: "its stream is not there",
    where: "e.stream_id NOT IN (SELECT stream_id FROM streams)",
  },
  {
    table: "witness_statements",
    id: "checkpoint_id",
    fault: "its checkpoint is not there",
    where: "e.checkpoint_id NOT IN (SELECT checkpoint_id FROM checkpoints)",
  },
  {
    table: "checkpoints",
    id: "checkpoint_id",
    // The message is added in the transaction of the checkpoint, and stays when it is done.
    fault: "its message to the service's own witness is not in the outbox",
    where: `NOT EXISTS (SELECT 1 FROM outbox o WHERE o.kind = '${COSIGN}' AND o.subject = e.checkpoint_id)`,
  },
];

/** The columns of a stream's row that its windows and checkpoints determine. */
export interface SealingEnd {
  readonly window_count: number;
  readonly windowed_to_seq_no: number;
  readonly checkpointed_window_count: number;
  readonly checkpointed_to_seq_no: number;
  /** The time in the last of them, or null. */
  readonly last_sealed_at: string | null;
}

/** Yields the faults of all sealed evidence, stream by stream. */
export async function* checkSealing(context: CheckContext): AsyncGenerator<Fault> {
  yield* strayRows(context, STRAYS);
  yield* eachStream(context, checkStream);
  yield* checkWitnessMemory(context);
}

async function* checkStream(context: CheckContext, stream: StreamRow): AsyncGenerator<Fault> {
  const { stream_id, tenant_id } = stream;
  context.onStep(": windows and checkpoints");
  const windows = yield* checkWindows(context, stream);
  const checkpoints = yield* checkCheckpoints(context, stream);
  const next = stream.windowed_to_seq_no + 1;
  const [waiting] = await context.database.read((reader) => eventsOfRange(reader, tenant_id, stream_id, next, next));
  const fault = difference("streams", { stream_id }, stream, {
    unwindowed_since: waiting?.received_at ?? null,
    ...windows,
    ...checkpoints,
    last_sealed_at: windows.last_sealed_at && latest(windows.last_sealed_at, checkpoints.last_sealed_at),
  });
  if (fault !== null) yield fault;
}

/** Yields the faults of the windows, and returns the columns that the last one determines. */
async function* checkWindows(
  { database, kernel, keys }: CheckContext,
  { stream_id, tenant_id }: StreamRow,
): AsyncGenerator<Fault, Omit<SealingEnd, "checkpointed_window_count" | "checkpointed_to_seq_no">> {
  let end = { window_count: 0, windowed_to_seq_no: 0, last_sealed_at: null as string | null };
  for (;;) {
    const after: number = end.window_count;
    const rows: RawRow[] = await database.read((reader) => rawWindows(reader, stream_id, after, PORTION));
    if (rows.length === 0) return end;
    for (const row of rows) {
      const window = documentOf<Window>(kernel, row);
      const key = { window_id: row.window_id ?? null };
      if (window === null) {
        yield { table: "windows", row: key, fault: "its document is not JSON" };
        continue;
      }
      const fault = difference("windows", key, row, {
        window_id: window.window_id,
        tenant_id,
        window_no: end.window_count + 1,
        from_seq_no: end.windowed_to_seq_no + 1,
        to_seq_no: window.to_seq_no,
        window_hash: hashOf(() => windowHash(kernel, window)),
      });
      if (fault !== null) yield fault;
      const late = sealFault(keys, window.seal?.kid, window.closed_at);
      if (late !== null) yield { table: "windows", row: key, fault: late };
      const { window_no, to_seq_no } = row;
      end = {
        window_count: Number(window_no),
        windowed_to_seq_no: Number(to_seq_no),
        last_sealed_at: window.closed_at,
      };
    }
  }
}

/** Yields the faults of the checkpoints and their statements, and returns the columns that the last one determines. */
async function* checkCheckpoints(
  context: CheckContext,
  stream: StreamRow,
): AsyncGenerator<Fault, Omit<SealingEnd, "window_count" | "windowed_to_seq_no">> {
  const { database, kernel, keys } = context;
  const { stream_id, tenant_id } = stream;
  let before: Checkpoint | null = null;
  for (;;) {
    const after: number = before?.checkpoint_no ?? 0;
    const rows: RawRow[] = await database.read((reader) => rawCheckpoints(reader, stream_id, after, PORTION));
    if (rows.length === 0)
      return {
        checkpointed_window_count: before?.window_count ?? 0,
        checkpointed_to_seq_no: before?.to_seq_no ?? 0,
        last_sealed_at: before?.created_at ?? null,
      };
    for (const row of rows) {
      const checkpoint: Checkpoint | null = documentOf<Checkpoint>(kernel, row);
      const key = { checkpoint_id: row.checkpoint_id ?? null };
      if (checkpoint === null) {
        yield { table: "checkpoints", row: key, fault: "its document is not JSON" };
        return {
          checkpointed_window_count: Number(row.window_count),
          checkpointed_to_seq_no: Number(row.to_seq_no),
          last_sealed_at: null,
        };
      }
      const fault = difference("checkpoints", key, row, {
        checkpoint_id: checkpoint.checkpoint_id,
        tenant_id,
        checkpoint_no: after === 0 && before === null ? 1 : (before?.checkpoint_no ?? 0) + 1,
        window_count: checkpoint.window_count,
        to_seq_no: checkpoint.to_seq_no,
        checkpoint_hash: hashOf(() => checkpointHash(kernel, checkpoint)),
        witness_policy_digest: checkpoint.witness_policy_digest,
      });
      if (fault !== null) yield fault;
      const late = sealFault(keys, checkpoint.seal?.kid, checkpoint.created_at);
      if (late !== null) yield { table: "checkpoints", row: key, fault: late };
      yield* statementFaults(context, stream, checkpoint);
      before = { ...checkpoint, checkpoint_no: Number(row.checkpoint_no) };
    }
  }
}

async function* statementFaults(
  { database, kernel }: CheckContext,
  { stream_id, tenant_id }: StreamRow,
  { checkpoint_id, window_count }: Checkpoint,
): AsyncGenerator<Fault> {
  const rows = await database.read((reader) => rawStatements(reader, checkpoint_id));
  for (const row of rows) {
    const key = { checkpoint_id, witness_id: row.witness_id ?? null, key_epoch: row.key_epoch ?? null };
    const statement = documentOf<WitnessStatement>(kernel, row);
    if (statement === null) {
      yield { table: "witness_statements", row: key, fault: "its document is not JSON" };
      continue;
    }
    const { witness_id, key_epoch } = statement;
    const expected = {
      tenant_id,
      stream_id,
      checkpoint_id: statement.checkpoint_id,
      witness_id,
      key_epoch,
      window_count,
    };
    const fault = difference("witness_statements", key, row, expected);
    if (fault !== null) yield fault;
  }
}

/** Returns a hash; a document that was changed may lack the members that are hashed. */
function hashOf(hash: () => string): string {
  try {
    return hash();
  } catch {
    return "the hash of a whole document";
  }
}
