/** The access log: who did what to which object. Never holds payloads, secrets or tokens. */
import type { JsonObject } from "@svc/core";
import { newId } from "../ids.ts";
import type { Reader, Writer } from "../store/database.ts";
import type { Principal } from "./principal.ts";

type Action =
  | "service.initialised"
  | "service.loss_accepted"
  | "tenant.created"
  | "system.created"
  | "system_key.created"
  | "system_key.rotated"
  | "system_key.revoked"
  | "signing_key.rotated"
  | "stream.created"
  | "event.erased"
  | "policy.declared"
  | "audit_pack.created"
  | "export.created"
  | "export.failed"
  | "export.deleted"
  | "export.download_prepared";

export async function recordAccess(
  writer: Writer,
  actor: Principal,
  action: Action,
  objectId: string,
  detail: JsonObject,
  now: string,
): Promise<void> {
  await writer.run(
    `INSERT INTO access_log (access_id, tenant_id, at, actor_kind, actor_id, action, object_id, detail)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    newId("acc"),
    actor.tenantId,
    now,
    actor.kind,
    actor.id,
    action,
    objectId,
    JSON.stringify(detail),
  );
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
  /** JSON. */
  readonly detail: string;
}

/** What entries are narrowed to; null for any. */
export interface AccessFilter {
  readonly tenantId: string | null;
  /** An action, or the part of several before the dot. */
  readonly action: string | null;
  readonly objectId: string | null;
}

/** The latest entries, at most so many, the latest first. For the operator's own commands. */
export function latestAccess(
  reader: Reader,
  { tenantId, action, objectId }: AccessFilter,
  most: number,
): Promise<AccessRow[]> {
  const parameters: (string | number)[] = [most];
  const place = (value: string) => `$${parameters.push(value)}`;
  const conditions = [
    ...(tenantId === null ? [] : [`tenant_id = ${place(tenantId)}`]),
    ...(action === null
      ? []
      : [`(action = ${place(action)} OR action LIKE ${place(`${likeText(action)}.%`)} ESCAPE '!')`]),
    ...(objectId === null ? [] : [`object_id = ${place(objectId)}`]),
  ];
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  return reader.all<AccessRow>(
    `SELECT access_id, tenant_id, at, actor_kind, actor_id, action, object_id, detail FROM access_log ${where}
     ORDER BY at DESC, access_id DESC LIMIT $1`,
    ...parameters,
  );
}

/** A text in which LIKE finds no wildcard. */
function likeText(text: string): string {
  return text.replaceAll(/[!%_]/g, (character) => `!${character}`);
}
