/** The outbox: messages to the outside, dispatched at least once, backed off when they fail. All SQL about them. */
import type { JsonObject } from "@svc/core";
import { newId } from "../ids.ts";
import type { Reader, Writer } from "../store/database.ts";

export interface OutboxMessage {
  readonly outbox_id: string;
  readonly tenant_id: string;
  /** What the outbox message is about; unique in its kind. */
  readonly subject: string;
  readonly payload: string;
  readonly attempts: number;
}

const MAX_ERROR_CHARACTERS = 500;

/** Adds an outbox message; one that is there already stays as it is. */
export async function enqueue(
  writer: Writer,
  tenantId: string,
  kind: string,
  subject: string,
  payload: JsonObject,
  now: string,
): Promise<void> {
  await writer.run(
    `INSERT INTO outbox (outbox_id, tenant_id, kind, subject, payload, created_at, attempts, next_attempt_at)
     VALUES ($1, $2, $3, $4, $5, $6, 0, $6) ON CONFLICT DO NOTHING`,
    newId("obx"),
    tenantId,
    kind,
    subject,
    JSON.stringify(payload),
    now,
  );
}

/**
 * Outbox messages of a kind whose time has come, in the order in which they were added. One put off beyond `furthest`, where no backoff reaches,
 * was written before the clock was set back, and is due as well.
 */
export function dueMessages(
  reader: Reader,
  kind: string,
  { now, furthest }: { readonly now: string; readonly furthest: string },
  limit: number,
): Promise<OutboxMessage[]> {
  return reader.all<OutboxMessage>(
    `SELECT outbox_id, tenant_id, subject, payload, attempts FROM outbox
     WHERE kind = $1 AND done_at IS NULL AND (next_attempt_at <= $2 OR next_attempt_at > $3) ORDER BY outbox_id LIMIT $4`,
    kind,
    now,
    furthest,
    limit,
  );
}

/** Marks an outbox message done. Answers false where another process has done it meanwhile. */
export async function markDone(writer: Writer, message: OutboxMessage, now: string): Promise<boolean> {
  const changed = await writer.run(
    "UPDATE outbox SET done_at = $1, attempts = attempts + 1, last_error = NULL WHERE outbox_id = $2 AND done_at IS NULL",
    now,
    message.outbox_id,
  );
  return changed === 1;
}

export async function markFailed(
  writer: Writer,
  message: OutboxMessage,
  reason: string,
  nextAttemptAt: string,
): Promise<void> {
  await writer.run(
    "UPDATE outbox SET attempts = attempts + 1, next_attempt_at = $1, last_error = $2 WHERE outbox_id = $3 AND done_at IS NULL",
    nextAttemptAt,
    reason.slice(0, MAX_ERROR_CHARACTERS),
    message.outbox_id,
  );
}
