/**
 * Changes of the administration: who may do what, and what was set up. Each is recorded in the transaction that makes
 * it, as an entry of the audit log and an event of its tenant, which say the same.
 */
import type { JsonObject } from "@svc/core";
import Type, { type Static, type TSchema } from "typebox";
import type { EventType, Immutable } from "./event-type.ts";
import type { Principal } from "./principal.ts";
import type { WriteOptions, Writer } from "./store/database.ts";

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
  /** The object before, as far as the change tells; null for a new one. */
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
