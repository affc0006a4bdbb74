/**
 * The lifecycle streams of a tenant: the service's own actions, as events with their own receipts. There is one open
 * stream for each tenant and purpose, made with its first event, under the built-in policy. Only the service appends to
 * it; streams/visible-stream.ts says who may read it.
 */
import { type JsonObject, ZERO_HASH } from "@svc/core";
import { latest, serviceTime } from "@svc/host/clock";
import type { EventType, Immutable } from "@svc/host/event-type";
import type { Principal } from "@svc/host/principal";
import type { Writer } from "@svc/host/store";
import type { Static, TSchema } from "typebox";
import type { Context } from "../context.ts";
import { newId } from "../ids.ts";
import { DEFAULT_POLICY_ID } from "../policies/default-policy.ts";
import { newestPolicy } from "../policies/policies-store.ts";
import { Appenders } from "../streams/appender.ts";
import type { EventRow } from "../streams/events-store.ts";
import { prepareEvents } from "../streams/prepare-events.ts";
import { PURPOSES, type Purpose } from "../streams/purposes.ts";
import { findLifecycleStream, insertStream, type StreamRow } from "../streams/streams-store.ts";

/** Events of the service itself come in no request. */
const OWN = { isBatch: false, bytes: new Uint8Array() };

/** A type of event that is recorded in one of these streams. */
export interface LifecycleType<Payload extends TSchema = TSchema> extends EventType<Payload> {
  readonly purpose: Purpose;
}

/** Returns a type of event that the service records of what was done to evidence. */
export function evidenceType<Payload extends TSchema>(
  type: Omit<LifecycleType<Payload>, "purpose">,
): LifecycleType<Payload> {
  return { ...type, purpose: "evidence" };
}

/** An action of the service. */
export interface LifecycleEvent<Payload extends TSchema = TSchema> {
  readonly type: Pick<LifecycleType<Payload>, "name" | "purpose">;
  /** The id of the object on which the service acted. */
  readonly source_ref: string;
  readonly payload: Immutable<Static<Payload>>;
}

/**
 * Records an action in a lifecycle stream of the actor's tenant, in a transaction of the caller, and resolves to the
 * event's row.
 */
export async function recordLifecycle<Payload extends TSchema>(
  writer: Writer,
  context: Pick<Context, "issuing" | "signingKey" | "clock">,
  actor: Principal,
  { type: { name, purpose }, source_ref, payload }: LifecycleEvent<Payload>,
): Promise<EventRow> {
  const stream =
    (await findLifecycleStream(writer, actor.tenantId, PURPOSES[purpose])) ??
    (await create(writer, context, actor, purpose));
  const now = latest(serviceTime(context.clock()), stream.last_received_at, stream.created_at);
  const event = { event_type: name, source_ref, occurred_at: now, payload: payload as JsonObject };
  const prepared = prepareEvents(context.issuing, [event], OWN);
  const appenders = await Appenders.of(writer, context, [stream]);
  const appender = appenders.open(stream);
  appender.place(prepared, actor);
  const [row] = (await appenders.store()).get(appender) ?? [];
  if (row === undefined) throw new Error(`nothing was recorded in ${stream.stream_id}`);
  return row;
}

async function create(
  writer: Writer,
  { clock }: Pick<Context, "clock">,
  actor: Principal,
  purpose: Purpose,
): Promise<StreamRow> {
  const policy = await newestPolicy(writer, null, DEFAULT_POLICY_ID);
  await insertStream(writer, {
    stream_id: newId("str"),
    tenant_id: actor.tenantId,
    system_id: null,
    class: "lifecycle",
    use_case: PURPOSES[purpose],
    policy_id: DEFAULT_POLICY_ID,
    policy_explicit: false,
    metadata: "{}",
    created_at: latest(serviceTime(clock()), policy?.witnessPolicy.declared_at),
    actor_id: actor.id,
    head_event_hash: ZERO_HASH,
  });
  const made = await findLifecycleStream(writer, actor.tenantId, PURPOSES[purpose]);
  if (made === null) throw new Error(`the lifecycle stream of ${actor.tenantId} for ${purpose} cannot be read back`);
  return made;
}
