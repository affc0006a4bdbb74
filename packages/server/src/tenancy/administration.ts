/**
 * The recording of administration: who may do what, and what was set up. Each change has one entry of the access log
 * and one event in its tenant's lifecycle stream of administration. A side without the sealing key writes the entry and
 * an outbox message, in the transaction of the change; the server records the event within a moment
 * (administration/recorder.ts).
 */
import type { JsonObject } from "@svc/core";
import type { EventType, Immutable } from "@svc/host/event-type";
import { enqueue } from "@svc/host/jobs";
import type { Principal } from "@svc/host/principal";
import type { WriteOptions, Writer } from "@svc/host/store";
import Type, { type Static, type TSchema } from "typebox";
import { BEFORE_EVENTS, insertAccess } from "./access-log-store.ts";

const Actor = Type.Object({ kind: Type.String(), id: Type.String() });
const Before = Type.Union([Type.Null(), Type.Record(Type.String(), Type.Unknown())]);

/** The payload of an event of the administration, with what the type says of `after`. */
function payloadSchema<After extends TSchema>(after: After) {
  return Type.Object({
    actor: Actor,
    /** How the actor was authenticated (RFC 8176); none of its methods for a key or a command. */
    methods: Type.Array(Type.String()),
    object: Type.String(),
    before: Before,
    after,
    request_id: Type.Union([Type.String(), Type.Null()]),
  });
}

/** A change of the administration, or a refusal: the name of its events, which is the action of its entries too. */
export interface AdministrationType<After extends TSchema = TSchema>
  extends EventType<ReturnType<typeof payloadSchema<After>>> {
  readonly purpose: "administration";
}

/** Returns such a type. `object` and `after`: of its example; `schema`: of what `after` holds. */
export function administrationType<After extends TSchema>({
  name,
  meaning,
  schema,
  object,
  after,
}: Pick<EventType, "name" | "meaning"> & {
  readonly schema: After;
  readonly object: string;
  readonly after: Immutable<Static<After>>;
}): AdministrationType<After> {
  const payload = payloadSchema(schema);
  const actor = { kind: "service", id: "svc-server" };
  // The parts have these types; the compiler does not follow a schema that it does not know.
  const example = { actor, methods: [], object, before: null, after, request_id: null } as unknown as Immutable<
    Static<typeof payload>
  >;
  return { name, purpose: "administration", meaning, payload, example };
}

/** A change of one object. It holds ids, times, names of rights and hashes: never a secret, an address or a name. */
export interface AdministrationChange<After extends TSchema = TSchema> {
  readonly type: AdministrationType<After>;
  readonly objectId: string;
  /** What it was before, as far as the change tells; null for a new object. */
  readonly before: JsonObject | null;
  readonly after: Immutable<Static<After>>;
}

/** Records a change in the transaction that it belongs to. `now`: a service time. */
export type RecordChange = <After extends TSchema>(
  actor: Principal,
  change: AdministrationChange<After>,
  now: string,
) => Promise<void>;

/** Transactions with changes. */
export interface Administration {
  /** Runs `work` as `Database.write` does; `record` belongs to that transaction. */
  write<Value>(work: (writer: Writer, record: RecordChange) => Promise<Value>, options?: WriteOptions): Promise<Value>;
}

/** The kind of the outbox messages about changes whose events are still to be recorded. Their subject is the entry. */
export const WAITING_CHANGE = "administration";

/** Returns what records the changes of the transaction that makes a deployment: there was no administration before it. */
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
