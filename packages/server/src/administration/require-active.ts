/** The systems for which keys are made: those that are not retired. */
import type { Principal } from "@svc/host/principal";
import type { Reader } from "@svc/host/store";
import { findSystem, type SystemRow } from "../tenancy/tenants-store.ts";
import { TenancyRefusal } from "./refusal.ts";

/**
 * Resolves to a system of the actor's tenant that is not retired. Rejects with TenancyRefusal: `system_not_found`,
 * `system_retired`.
 */
export async function requireActive(reader: Reader, { tenantId }: Principal, systemId: string): Promise<SystemRow> {
  const system = await findSystem(reader, tenantId, systemId);
  if (system === null) throw new TenancyRefusal("system_not_found", systemId);
  if (system.retired_at !== null) throw new TenancyRefusal("system_retired", systemId);
  return system;
}
