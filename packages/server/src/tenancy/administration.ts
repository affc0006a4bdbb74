/**
 * The recording of changes where the sealing key is not at hand: an entry of the audit log and an outbox message, in
 * the transaction of the change. The server records the event within a moment (administration/recorder.ts).
 */
import type { JsonObject } from "@svc/core";
import type { RecordChange } from "@svc/host/administration";
import { enqueue } from "@svc/host/jobs";
import type { Writer } from "@svc/host/store";
import { BEFORE_EVENTS, insertAccess } from "./access-log-store.ts";

/** The kind of the outbox messages about changes whose events are still to be recorded. Their subject is the entry. */
export const WAITING_CHANGE = "administration";

/** Returns what records the changes of the transaction that makes a deployment: they have no events. */
export function recordAtFirst(writer: Writer): RecordChange {
  return async (actor, { type, objectId, after }, now) => {
    const detail = after as JsonObject;
    await insertAccess(writer, { actor, action: type.name, objectId, detail, at: now, event: BEFORE_EVENTS });
  };
}

/** Returns what records the changes of a transaction where the sealing key is not at hand. */
export function recordBeside(writer: Writer): RecordChange {
  return async (actor, { type, objectId, before, after }, now) => {
    const detail = after as JsonObject;
    const accessId = await insertAccess(writer, { actor, action: type.name, objectId, detail, at: now });
    await enqueue(writer, actor.tenantId, WAITING_CHANGE, accessId, { before }, now);
  };
}
