/** Tenants, their systems and their principals: all SQL about them. */

import type { Principal } from "@svc/host/principal";
import type { Reader, Writer } from "@svc/host/store";

/** A source system of a tenant. */
export interface SystemRow {
  readonly system_id: string;
  readonly tenant_id: string;
  readonly name: string;
  /** A service time; null while it records. */
  readonly retired_at: string | null;
}

/** A tenant. */
export interface TenantRow {
  readonly tenant_id: string;
  readonly name: string;
  readonly time_zone: string;
}

/** Inserts a tenant. `timeZone`: an IANA name; `now`: a service time. */
export async function insertTenant(
  writer: Writer,
  { tenantId, name, timeZone }: { readonly tenantId: string; readonly name: string; readonly timeZone: string },
  now: string,
): Promise<void> {
  await writer.run(
    "INSERT INTO tenants (tenant_id, name, time_zone, settings, created_at) VALUES ($1, $2, $3, $4, $5)",
    tenantId,
    name,
    timeZone,
    "{}",
    now,
  );
}

/** A system to be made. */
export interface NewSystem {
  readonly tenantId: string;
  readonly systemId: string;
  readonly name: string;
  /** An IANA name; null for the tenant's zone. */
  readonly sourceTimezone: string | null;
}

/** Inserts a source system, and the principal as which it acts. */
export async function insertSystem(
  writer: Writer,
  { tenantId, systemId, name, sourceTimezone }: NewSystem,
  now: string,
): Promise<void> {
  await writer.run(
    "INSERT INTO systems (tenant_id, system_id, name, source_timezone, created_at) VALUES ($1, $2, $3, $4, $5)",
    tenantId,
    systemId,
    name,
    sourceTimezone,
    now,
  );
  await insertPrincipal(writer, { tenantId, kind: "system", id: systemId, roles: [] }, now);
}

/** Marks a system as retired, and shuts off the principal as which it acts. `now`: a service time. */
export async function markRetired(writer: Writer, tenantId: string, systemId: string, now: string): Promise<void> {
  const where = "WHERE tenant_id = $2 AND";
  await writer.run(`UPDATE systems SET retired_at = $1 ${where} system_id = $3`, now, tenantId, systemId);
  await writer.run(`UPDATE principals SET disabled_at = $1 ${where} principal_id = $3`, now, tenantId, systemId);
}

/** Inserts a principal. */
export async function insertPrincipal(writer: Writer, principal: Principal, now: string): Promise<void> {
  await writer.run(
    "INSERT INTO principals (tenant_id, principal_id, kind, roles, created_at) VALUES ($1, $2, $3, $4, $5)",
    principal.tenantId,
    principal.id,
    principal.kind,
    JSON.stringify(principal.roles),
    now,
  );
}

/**
 * Resolves to all tenants of the deployment, oldest first. The operator's own commands may call this, but never a
 * route.
 */
export function allTenants(reader: Reader): Promise<TenantRow[]> {
  return reader.all<TenantRow>("SELECT tenant_id, name, time_zone FROM tenants ORDER BY created_at, tenant_id");
}

/** Resolves to the id of the deployment's tenant if it has one; null if it has several. */
export async function onlyTenant(reader: Reader): Promise<string | null> {
  const [first, ...others] = await reader.all<{ tenant_id: string }>("SELECT tenant_id FROM tenants LIMIT 2");
  return others.length === 0 ? (first?.tenant_id ?? null) : null;
}

/** Resolves to whether a tenant has another system than this one that is not retired. */
export async function hasOtherSystem(reader: Reader, tenantId: string, systemId: string): Promise<boolean> {
  const sql = "SELECT 1 FROM systems WHERE tenant_id = $1 AND system_id <> $2 AND retired_at IS NULL LIMIT 1";
  return (await reader.first(sql, tenantId, systemId)) !== null;
}

/** Resolves to a system of a tenant; null for an unknown one. */
export function findSystem(reader: Reader, tenantId: string, systemId: string): Promise<SystemRow | null> {
  const sql = "SELECT system_id, tenant_id, name, retired_at FROM systems WHERE tenant_id = $1 AND system_id = $2";
  return reader.first<SystemRow>(sql, tenantId, systemId);
}

/**
 * Resolves to all systems of the deployment, oldest first. The operator's own commands may call this, but never a
 * route.
 */
export function allSystems(reader: Reader): Promise<SystemRow[]> {
  return reader.all<SystemRow>(
    "SELECT system_id, tenant_id, name, retired_at FROM systems ORDER BY created_at, system_id",
  );
}
