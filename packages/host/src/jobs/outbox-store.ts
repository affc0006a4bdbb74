/**
 * The outbox: messages for work outside of the transaction that wrote them, dispatched at least once and backed off
 * after a failure. All SQL about them is here.
 */
import type { JsonObject } from "@svc/core";
import { newId } from "../ids.ts";
import { type Condition, written } from "../store/bounded-walk.ts";
import type { Reader, Writer } from "../store/database.ts";

/** An outbox message that is due. */
export interface OutboxMessage {
  readonly outbox_id: string;
  readonly tenant_id: string;
  /** The object that the message is about; unique within its kind. */
  readonly subject: string;
  /** The stream in whose shard it is dispatched; null for a message without one. */
  readonly stream_id: string | null;
  /** JSON text. */
  readonly payload: string;
  readonly attempts: number;
}

const MAX_ERROR_CHARACTERS = 500;

/** Returns the object by whose shard a message is dispatched. Messages about the same one are dispatched in order. */
export function objectOf({ stream_id, subject }: Pick<OutboxMessage, "stream_id" | "subject">): string {
  return stream_id ?? subject;
}

/**
 * Adds an outbox message, due at once; an existing message of the same kind and subject stays as it is. `now`: a
 * service time. `streamId`: the stream in whose shard it is dispatched; by default its subject takes that place.
 */
export async function enqueue(
  writer: Writer,
  tenantId: string,
  kind: string,
  subject: string,
  payload: JsonObject,
  now: string,
  streamId: string | null = null,
): Promise<void> {
  await writer.run(
    `INSERT INTO outbox (outbox_id, tenant_id, kind, subject, payload, created_at, attempts, next_attempt_at, stream_id)
     VALUES ($1, $2, $3, $4, $5, $6, 0, $6, $7) ON CONFLICT DO NOTHING`,
    newId("obx"),
    tenantId,
    kind,
    subject,
    JSON.stringify(payload),
    now,
    streamId,
  );
}

/**
 * Resolves to the messages of a kind that are due, in the order in which they were added, `limit` at most. `after`: the
 * id behind which they begin. A message that is put off beyond `furthest`, further than any backoff, was written before
 * the clock was set back; it is due as well.
 */
export function dueMessages(
  reader: Reader,
  kind: string,
  { now, furthest }: { readonly now: string; readonly furthest: string },
  limit: number,
  after = "",
): Promise<OutboxMessage[]> {
  return reader.all<OutboxMessage>(
    `SELECT outbox_id, tenant_id, subject, stream_id, payload, attempts FROM outbox
     WHERE kind = $1 AND done_at IS NULL AND (next_attempt_at <= $2 OR next_attempt_at > $3) AND outbox_id || '' > $5
     ORDER BY outbox_id LIMIT $4`,
    kind,
    now,
    furthest,
    limit,
    after,
  );
}

/** Marks an outbox message as done. Resolves to false if another process has done it meanwhile. */
export async function markDone(writer: Writer, message: OutboxMessage, now: string): Promise<boolean> {
  const { sql, values } = written(
    (place) =>
      `UPDATE outbox SET done_at = ${place(now)}, attempts = attempts + 1, last_error = NULL WHERE ${isOpen(message)(place)}`,
  );
  return (await writer.run(sql, ...values)) === 1;
}

/**
 * Counts a failed attempt and puts the message off. `nextAttemptAt`: a service time. Stores the first 500 characters of
 * the reason.
 */
export async function markFailed(
  writer: Writer,
  message: OutboxMessage,
  reason: string,
  nextAttemptAt: string,
): Promise<void> {
  const error = reason.slice(0, MAX_ERROR_CHARACTERS);
  const { sql, values } = written(
    (place) =>
      `UPDATE outbox SET attempts = attempts + 1, next_attempt_at = ${place(nextAttemptAt)}, last_error = ${place(error)}
       WHERE ${isOpen(message)(place)}`,
  );
  await writer.run(sql, ...values);
}

/** Holds for the row of a message that is not done. A database that shards finds it by its stream. */
function isOpen({ outbox_id, stream_id }: OutboxMessage): Condition {
  return (place) =>
    `outbox_id = ${place(outbox_id)} AND ${stream_id === null ? "stream_id IS NULL" : `stream_id = ${place(stream_id)}`} AND done_at IS NULL`;
}
