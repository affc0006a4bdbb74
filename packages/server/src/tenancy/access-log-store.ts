/**
 * The access log: the actor, the action and the object of each administrative step. It never holds payloads, secrets or
 * tokens.
 */
import type { JsonObject } from "@svc/core";
import type { Principal } from "@svc/host/principal";
import {
  equal,
  type Filter,
  indexLead,
  type ListSql,
  type Part,
  type Reader,
  type Walked,
  type Writer,
  walk,
} from "@svc/host/store";
import { newId } from "../ids.ts";

/** The actions that are no administration; tenancy/administration.ts has the others. */
type Action =
  | "service.initialised"
  | "service.loss_noticed"
  | "pepper.rotated"
  | "stream.created"
  | "event.erased"
  | "audit_pack.created"
  | "export.failed"
  | "export.download_prepared"
  | "export.download_resumed";

/** Adds an entry, in the transaction of the step itself. `now`: a service time. */
export async function recordAccess(
  writer: Writer,
  actor: Principal,
  action: Action,
  objectId: string,
  detail: JsonObject,
  now: string,
): Promise<void> {
  await insertAccess(writer, { actor, action, objectId, detail, at: now });
}

/** An entry to be added. */
export interface NewAccess {
  readonly actor: Principal;
  readonly action: string;
  readonly objectId: string;
  readonly detail: JsonObject;
  /** A service time. */
  readonly at: string;
  /** The event of the tenant's administration that says the same, or BEFORE_EVENTS; missing for other changes. */
  readonly event?: { readonly stream_id: string | null; readonly seq_no: number };
}

/** In the place of an event: the change is from before the tenant had such events, by an earlier release or by init. */
export const BEFORE_EVENTS = { stream_id: null, seq_no: 0 } as const;

/** Inserts an entry, and resolves to its id. */
export async function insertAccess(
  writer: Writer,
  { actor, action, objectId, detail, at, event }: NewAccess,
): Promise<string> {
  const accessId = newId("acc");
  await writer.run(
    `INSERT INTO access_log (access_id, tenant_id, at, actor_kind, actor_id, action, object_id, detail,
       administration_stream_id, administration_seq_no)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    accessId,
    actor.tenantId,
    at,
    actor.kind,
    actor.id,
    action,
    objectId,
    JSON.stringify(detail),
    event?.stream_id ?? null,
    event?.seq_no ?? null,
  );
  return accessId;
}

/** Resolves to an entry; null for an unknown one. */
export function findAccess(reader: Reader, accessId: string): Promise<AccessRow | null> {
  const sql = `SELECT ${LIST.columns} FROM access_log WHERE access_id = $1`;
  return reader.first<AccessRow>(sql, accessId);
}

/** Notes the event of the tenant's administration that says the same as an entry. */
export async function noteEvent(
  writer: Writer,
  accessId: string,
  { stream_id, seq_no }: { readonly stream_id: string; readonly seq_no: number },
): Promise<void> {
  await writer.run(
    "UPDATE access_log SET administration_stream_id = $1, administration_seq_no = $2 WHERE access_id = $3",
    stream_id,
    seq_no,
    accessId,
  );
}

/** Resolves to how often an action was done to an object. */
export async function accessesTo(reader: Reader, objectId: string, action: string): Promise<number> {
  const sql = "SELECT COUNT(*) AS done FROM access_log WHERE object_id = $1 AND action = $2";
  return Number((await reader.first<{ done: number }>(sql, objectId, action))?.done ?? 0);
}

/** An entry as the operator sees it. */
export interface AccessRow {
  readonly access_id: string;
  readonly tenant_id: string;
  readonly at: string;
  readonly actor_kind: string;
  readonly actor_id: string;
  readonly action: string;
  readonly object_id: string;
  /** JSON text. */
  readonly detail: string;
}

/** The filters of a list of entries; null for any. */
export interface AccessFilter {
  readonly tenantId: string | null;
  /** An action, or the common part of several before the dot. */
  readonly action: string | null;
  readonly objectId: string | null;
}

const LIST: ListSql<AccessRow> = {
  columns: "access_id, tenant_id, at, actor_kind, actor_id, action, object_id, detail",
  from: "access_log",
  key: ["at", "access_id"],
  isDescending: true,
  placeOf: ({ at, access_id }) => [at, access_id],
};

/**
 * Resolves to the entries before a place, the latest first: a page at most, and no more than a bounded walk finds
 * (host's bounded-walk.ts). Only the operator's own commands may call this: it reads all tenants.
 */
export function accessBefore(
  reader: Reader,
  { tenantId, action, objectId }: AccessFilter,
  part: Part,
): Promise<Walked<AccessRow>> {
  const indexed = [
    ...(objectId === null ? [] : [equal("object_id", objectId)]),
    ...(action?.includes(".") ? [equal("action", action)] : []),
    ...(tenantId === null ? [] : [equal("tenant_id", tenantId)]),
  ];
  const others = action === null || action.includes(".") ? [] : [ofKind(action)];
  const leads = indexed.map((filter) => {
    const kept = [...indexed.filter((other) => other !== filter), ...others];
    return indexLead(reader, LIST, { within: [], led: [filter], kept });
  });
  return walk(LIST, leads.length === 0 ? [indexLead(reader, LIST, { within: [], kept: others })] : leads, part);
}

/** Returns the filter of actions by the part before the dot. No index answers it in the order of time. */
function ofKind(kind: string): Filter {
  return { kept: (place) => `action LIKE ${place(`${likeText(kind)}.%`)} ESCAPE '!'` };
}

/** Returns a text with its LIKE wildcards escaped. */
function likeText(text: string): string {
  return text.replaceAll(/[!%_]/g, (character) => `!${character}`);
}
