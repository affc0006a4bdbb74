/**
 * Making tenants and systems, and retiring systems, in a transaction of the caller. The caller has checked names and
 * time zones, and that the actor may do it.
 */
import type { RecordChange } from "@svc/host/administration";
import type { Principal } from "@svc/host/principal";
import type { Writer } from "@svc/host/store";
import { newId } from "../ids.ts";
import { recordBeside } from "../tenancy/administration.ts";
import { keysNotRevoked } from "../tenancy/credentials-store.ts";
import { systemCreated, systemRetired, tenantCreated } from "../tenancy/events.ts";
import { insertPrincipal, insertSystem, insertTenant, markRetired, type NewSystem } from "../tenancy/tenants-store.ts";
import { endKey } from "./change-keys.ts";
import { requireActive } from "./require-active.ts";

/**
 * Makes a tenant, and the principal as which the operator acts in it, and resolves to the tenant's id. `timeZone`: an
 * IANA name; `now`: a service time.
 */
export async function createTenant(
  writer: Writer,
  operatorOf: (tenantId: string) => Principal,
  { name, timeZone }: { readonly name: string; readonly timeZone: string },
  now: string,
  record: RecordChange = recordBeside(writer),
): Promise<string> {
  const tenantId = newId("tnt");
  const actor = operatorOf(tenantId);
  await insertTenant(writer, { tenantId, name, timeZone }, now);
  await insertPrincipal(writer, actor, now);
  const after = { time_zone: timeZone };
  await record(actor, { type: tenantCreated, objectId: tenantId, before: null, after }, now);
  return tenantId;
}

/** Makes a system of the actor's tenant, and resolves to its id. `now`: a service time. */
export async function createSystem(
  writer: Writer,
  actor: Principal,
  { name, sourceTimezone }: Pick<NewSystem, "name" | "sourceTimezone">,
  now: string,
  record: RecordChange = recordBeside(writer),
): Promise<string> {
  const { tenantId } = actor;
  const systemId = newId("sys");
  await insertSystem(writer, { tenantId, systemId, name, sourceTimezone }, now);
  const after = { source_timezone: sourceTimezone };
  await record(actor, { type: systemCreated, objectId: systemId, before: null, after }, now);
  return systemId;
}

/**
 * Retires a system of the actor's tenant: all of its keys end at once, and it gets no others. Its streams stay, and so
 * does all that was recorded. Resolves to the ids of the keys that were not revoked before. `now`: a service time.
 * Rejects with TenancyRefusal: `system_not_found`, `system_retired`.
 */
export async function retireSystem(
  writer: Writer,
  actor: Principal,
  systemId: string,
  now: string,
  record: RecordChange = recordBeside(writer),
): Promise<string[]> {
  await requireActive(writer, actor, systemId);
  await markRetired(writer, actor.tenantId, systemId, now);
  const keys = await keysNotRevoked(writer, actor.tenantId, systemId);
  for (const keyId of keys) await endKey(writer, actor, keyId, now, { because: "system_retired" }, record);
  const after = { retired_at: now, revoked_keys: keys };
  await record(actor, { type: systemRetired, objectId: systemId, before: null, after }, now);
  return keys;
}
