/** A database in memory with this release's schema and nothing in it, for tests of stores and of what needs no server. */
import type { TestContext } from "node:test";
import { serviceTime } from "../src/clock.ts";
import type { Database } from "../src/store/database.ts";
import { migrate } from "../src/store/migrate.ts";
import { IN_MEMORY, openSqlite } from "../src/store/sqlite.ts";
import type { Principal } from "../src/tenancy/principal.ts";
import { insertPrincipal, insertSystem, insertTenant } from "../src/tenancy/tenants-store.ts";

export async function emptyDatabase(t: Pick<TestContext, "after">): Promise<Database> {
  const database = openSqlite(IN_MEMORY);
  t.after(() => database.close());
  await migrate(database, () => serviceTime(0));
  return database;
}

export const TENANT = "tnt_00000000000000000000000001";
export const SYSTEM = "sys_00000000000000000000000001";
export const OPERATOR: Principal = { tenantId: TENANT, kind: "service", id: "svc-server", roles: [] };

/** The same with a tenant, its system and the service's own principal. */
export async function databaseWithTenant(t: Pick<TestContext, "after">): Promise<Database> {
  const database = await emptyDatabase(t);
  const now = serviceTime(0);
  await database.write(async (writer) => {
    await insertTenant(writer, { tenantId: TENANT, name: "Bank", timeZone: "UTC" }, now);
    await insertSystem(writer, { tenantId: TENANT, systemId: SYSTEM, name: "Loans", sourceTimezone: null }, now);
    await insertPrincipal(writer, OPERATOR, now);
  });
  return database;
}
