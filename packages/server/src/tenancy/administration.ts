/**
 * The recording of administration: who may do what, and what was set up. Each change has one entry of the access log
 * and one event in its tenant's lifecycle stream of administration. A side without the sealing key writes the entry and
 * an outbox message, in the transaction of the change; the server records the event within a moment
 * (administration/recorder.ts).
 */
import type { JsonObject } from "@svc/core";
import { enqueue } from "@svc/host/jobs";
import type { Principal } from "@svc/host/principal";
import type { WriteOptions, Writer } from "@svc/host/store";
import { insertAccess } from "./access-log-store.ts";

/** The changes, and what was refused, by the type of their events, which is the action of their entries too. */
export const ADMINISTRATION_ACTIONS = [
  "tenant.created",
  "system.created",
  "system.retired",
  "system_key.created",
  "system_key.rotated",
  "system_key.revoked",
  "policy.declared",
  "export.created",
  "export.deleted",
  "signing_key.rotated",
  "witness_key.rotated",
  "service.loss_accepted",
  "administration.refused",
] as const;
export type AdministrationAction = (typeof ADMINISTRATION_ACTIONS)[number];

/** A change of one object. It holds ids, times, names of rights and hashes: never a secret, an address or a name. */
export interface AdministrationChange {
  readonly action: AdministrationAction;
  readonly objectId: string;
  /** What it was before, as far as the change tells; null for a new object. */
  readonly before: JsonObject | null;
  readonly after: JsonObject;
}

/** Records a change in the transaction that it belongs to. `now`: a service time. */
export type RecordChange = (actor: Principal, change: AdministrationChange, now: string) => Promise<void>;

/** Transactions with changes. */
export interface Administration {
  /** Runs `work` as `Database.write` does; `record` belongs to that transaction. */
  write<Value>(work: (writer: Writer, record: RecordChange) => Promise<Value>, options?: WriteOptions): Promise<Value>;
}

/** The kind of the outbox messages about changes whose events are still to be recorded. Their subject is the entry. */
export const WAITING_CHANGE = "administration";

/** Returns what records the changes of a transaction where the sealing key is not at hand. */
export function recordBeside(writer: Writer): RecordChange {
  return async (actor, { action, objectId, before, after }, now) => {
    const accessId = await insertAccess(writer, { actor, action, objectId, detail: after, at: now });
    await enqueue(writer, actor.tenantId, WAITING_CHANGE, accessId, { before }, now);
  };
}
