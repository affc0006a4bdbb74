/**
 * The events of the administration, on the side that has the sealing key: in the transaction of the change itself, or,
 * for a change that was made beside the server, by the outbox message about it.
 */

import type { JsonObject } from "@svc/core";
import type { Administration } from "@svc/host/administration";
import type { Principal } from "@svc/host/principal";
import type { Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import { recordLifecycle } from "../lifecycle/lifecycle-stream.ts";
import type { EventRow } from "../streams/events-store.ts";
import { recorded } from "../streams/recorded.ts";
import { insertAccess } from "../tenancy/access-log-store.ts";

/** The capabilities for the events. */
type Needs = Pick<Context, "database" | "issuing" | "signingKey" | "clock" | "channel">;

/** Returns the transactions of a deployment whose changes are recorded at once. Each publishes its events. */
export function administrationAtOnce(context: Needs): Administration {
  const { database, channel } = context;
  return {
    write: async (work, options) => {
      let last: EventRow | null = null;
      const value = await database.write(async (writer) => {
        last = null;
        return work(writer, async (actor, change, now) => {
          const { type, objectId, before } = change;
          const after = change.after as JsonObject;
          const event = await recordChange(writer, context, actor, { action: type.name, objectId, before, after });
          await insertAccess(writer, { actor, action: type.name, objectId, detail: after, at: now, event });
          last = event;
        });
      }, options);
      if (last !== null) channel.publish(recorded, { last, isWindowFull: false });
      return value;
    },
  };
}

/** A change, with the name of its type. */
interface NamedChange {
  readonly action: string;
  readonly objectId: string;
  readonly before: JsonObject | null;
  readonly after: JsonObject;
}

/** Records the event of a change in a transaction of the caller, and resolves to its row. */
export function recordChange(
  writer: Writer,
  context: Pick<Context, "issuing" | "signingKey" | "clock">,
  actor: Principal,
  { action, objectId, before, after }: NamedChange,
): Promise<EventRow> {
  return recordLifecycle(writer, context, actor, {
    type: { name: action, purpose: "administration" },
    source_ref: objectId,
    payload: payloadOf(actor, objectId, before, after),
  });
}

/** Returns the payload of such an event. A key or a command proves itself by none of the methods of RFC 8176. */
export function payloadOf(
  { kind, id }: Pick<Principal, "kind" | "id">,
  object: string,
  before: JsonObject | null,
  after: JsonObject,
): JsonObject {
  return { actor: { kind, id }, methods: [], object, before, after, request_id: null };
}
