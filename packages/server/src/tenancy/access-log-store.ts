/** The access log: who did what to which object. Never holds payloads, secrets or tokens. */
import type { JsonObject } from "@svc/core";
import { newId } from "../ids.ts";
import type { Writer } from "../store/database.ts";
import type { Principal } from "./principal.ts";

type Action =
  | "service.initialised"
  | "tenant.created"
  | "system.created"
  | "system_key.created"
  | "system_key.rotated"
  | "system_key.revoked"
  | "stream.created"
  | "policy.declared"
  | "audit_pack.created";

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
