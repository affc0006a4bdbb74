/**
 * The outbox: messages for work outside of the transaction that wrote them, dispatched at least once and backed off
 * after a failure. All SQL about them is here.
 */
import type { JsonObject } from "@svc/core";
import { newId } from "../ids.ts";
import { type Condition, written } from "../store/bounded-walk.ts";
import type { Reader, Writer } from "../store/database.ts";
import { inList } from "../store/in-list.ts";
import { together } from "../store/together.ts";

/** An outbox message that is due. */
export interface OutboxMessage {
  readonly outbox_id: string;
  /** Null for a message about the whole service. */
  readonly tenant_id: string | null;
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
  tenantId: string | null,
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

/** Messages about the newest state of one subject, one of each kind. */
export interface NewestMessages {
  readonly tenantId: string | null;
  readonly kinds: readonly string[];
  readonly subject: string;
  /** It must differ for each state. */
  readonly payload: JsonObject;
  /** The stream in whose shard they are dispatched; null if their subject takes that place. */
  readonly streamId: string | null;
}

const COLUMNS = [
  "outbox_id",
  "tenant_id",
  "kind",
  "subject",
  "payload",
  "created_at",
  "attempts",
  "next_attempt_at",
  "stream_id",
] as const;

/**
 * Adds outbox messages about the newest state of a subject, due at once; two statements, however many kinds. An open
 * one of the same kind and subject gets the new payload instead, and stays put off if it is. Transactions that add
 * messages about one subject must come one after another. `now`: a service time.
 */
export async function enqueueNewest(writer: Writer, messages: NewestMessages, now: string): Promise<void> {
  const { tenantId, kinds, subject, streamId } = messages;
  if (kinds.length === 0) return;
  const payload = JSON.stringify(messages.payload);
  const { sql, values } = written(
    (place) =>
      `UPDATE outbox SET payload = ${place(payload)}
       WHERE ${inList("kind", kinds)(place)} AND subject = ${place(subject)} AND ${ofStream(streamId)(place)}`,
  );
  const rows = kinds.map((kind) => [newId("obx"), tenantId, kind, subject, payload, now, 0, now, streamId]);
  await together([
    writer.run(sql, ...values),
    writer.insert({ table: "outbox", columns: COLUMNS, skipsRepeated: true }, rows),
  ]);
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
      `UPDATE outbox SET done_at = ${place(now)}, attempts = attempts + 1, last_error = NULL WHERE ` +
      `${isOpen(message)(place)}`,
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

/**
 * Claims a message until a time: nobody else takes it before, nor ends it. `owner`: unlike that of any other claim.
 * Resolves to false if another has claimed it since it was read.
 */
export async function claim(writer: Writer, message: OutboxMessage, owner: string, until: string): Promise<boolean> {
  const { sql, values } = written(
    (place) =>
      `UPDATE outbox SET attempts = attempts + 1, lease_owner = ${place(owner)}, lease_until = ${place(until)},
         next_attempt_at = ${place(until)} WHERE ${isOpen(message)(place)} AND attempts = ${place(message.attempts)}`,
  );
  return (await writer.run(sql, ...values)) === 1;
}

/**
 * Ends a claim whose message has been sent. Resolves to `done` where the message is gone; to `again` where it got
 * another payload meanwhile, so that it is due at once; and to `lost` where the claim had ended, so that nothing was
 * changed.
 */
export async function endClaim(
  writer: Writer,
  message: OutboxMessage,
  owner: string,
  now: string,
): Promise<"done" | "again" | "lost"> {
  const gone = written(
    (place) => `DELETE FROM outbox WHERE ${isClaimed(message, owner)(place)} AND payload = ${place(message.payload)}`,
  );
  if ((await writer.run(gone.sql, ...gone.values)) === 1) return "done";
  const again = written(
    (place) =>
      `UPDATE outbox SET attempts = 0, lease_owner = NULL, lease_until = NULL, next_attempt_at = ${place(now)},
         last_error = NULL WHERE ${isClaimed(message, owner)(place)}`,
  );
  return (await writer.run(again.sql, ...again.values)) === 1 ? "again" : "lost";
}

/**
 * Ends a claim whose message could not be sent, and puts the message off. Resolves to false if the claim had ended, so
 * that nothing was changed. `nextAttemptAt`: a service time. Stores the first 500 characters of the reason.
 */
export async function putOffClaimed(
  writer: Writer,
  message: OutboxMessage,
  owner: string,
  reason: string,
  nextAttemptAt: string,
): Promise<boolean> {
  const { sql, values } = written(
    (place) =>
      `UPDATE outbox SET lease_owner = NULL, lease_until = NULL, next_attempt_at = ${place(nextAttemptAt)},
         last_error = ${place(reason.slice(0, MAX_ERROR_CHARACTERS))} WHERE ${isClaimed(message, owner)(place)}`,
  );
  return (await writer.run(sql, ...values)) === 1;
}

/** Holds for the row of a message that is not done. A database that shards finds it by its stream. */
function isOpen({ outbox_id, stream_id }: OutboxMessage): Condition {
  return (place) => `outbox_id = ${place(outbox_id)} AND ${ofStream(stream_id)(place)} AND done_at IS NULL`;
}

/** Holds for the row of a message that this owner has claimed, and nobody since. */
function isClaimed(message: OutboxMessage, owner: string): Condition {
  return (place) => `${isOpen(message)(place)} AND lease_owner = ${place(owner)}`;
}

function ofStream(streamId: string | null): Condition {
  return (place) => (streamId === null ? "stream_id IS NULL" : `stream_id = ${place(streamId)}`);
}
