/**
 * Records the events of changes that were made beside the server, such as by a command: each change has left an outbox
 * message in its own transaction. The event, its number in the entry of the access log, and the end of the message are
 * one transaction.
 */
import type { JsonObject } from "@svc/core";
import { failpoint } from "@svc/host/failpoint";
import { anyMessageDue, dispatchDue, type Lease, LeasedLoop, type OutboxMessage } from "@svc/host/jobs";
import { perContext } from "@svc/host/per-context";
import type { Principal } from "@svc/host/principal";
import type { Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import { failed } from "../notices.ts";
import type { EventRow } from "../streams/events-store.ts";
import { recorded } from "../streams/recorded.ts";
import { findAccess, noteEvent } from "../tenancy/access-log-store.ts";
import { WAITING_CHANGE } from "../tenancy/administration.ts";
import { recordChange } from "./at-once.ts";

/** How often it is looked for changes that were made beside the server. */
const INTERVAL_MS = 500;

/** The job of a deployment. It publishes its errors, and tries again in its next round. */
export const recorderOf = perContext((context: Context): LeasedLoop => {
  const { channel } = context;
  const onError = (error: unknown) => channel.publish(failed, error);
  return new LeasedLoop(context, {
    jobName: "administration",
    intervalMs: INTERVAL_MS,
    onError,
    hasWork: () => anyMessageDue(context, WAITING_CHANGE),
    work: (lease, stop) => recordDueChanges(context, lease, stop, onError),
  });
});

/** Records the events of all changes that wait, under a lease. One that fails is tried again later. */
export async function recordDueChanges(
  context: Pick<Context, "database" | "issuing" | "signingKey" | "clock" | "channel">,
  lease: Lease,
  stop: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  const events = new Map<string, EventRow>();
  await dispatchDue(context, WAITING_CHANGE, lease, stop, {
    run: async (writer, message) => {
      events.set(message.outbox_id, await recordWaiting(writer, context, message));
      failpoint("administration: recorded");
    },
    onDone: ({ outbox_id }) => {
      const last = events.get(outbox_id);
      events.delete(outbox_id);
      if (last !== undefined) context.channel.publish(recorded, { last, isWindowFull: false });
    },
    onError,
  });
}

/** Records the event of a change that waits, in a transaction of the caller. */
async function recordWaiting(
  writer: Writer,
  context: Pick<Context, "issuing" | "signingKey" | "clock">,
  { subject, payload }: OutboxMessage,
): Promise<EventRow> {
  const entry = await findAccess(writer, subject);
  if (entry === null) throw new Error(`the access log has no entry ${subject}, whose event is to be recorded`);
  const actor: Principal = {
    tenantId: entry.tenant_id,
    kind: entry.actor_kind as Principal["kind"],
    id: entry.actor_id,
    roles: [],
  };
  const { before } = JSON.parse(payload) as { readonly before: JsonObject | null };
  const event = await recordChange(writer, context, actor, {
    action: entry.action,
    objectId: entry.object_id,
    before,
    after: JSON.parse(entry.detail) as JsonObject,
  });
  await noteEvent(writer, subject, event);
  return event;
}
