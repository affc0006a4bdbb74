/**
 * A database with this release's schema and without rows, for tests of stores and of code that needs no
 * server.
 */
import type { TestContext } from "node:test";
import { serviceTime } from "@svc/host/clock";
import type { Principal } from "@svc/host/principal";
import { type Database, migrate, soleSchema } from "@svc/host/store";
import { newDatabase } from "@svc/testkit/drivers";
import { MIGRATIONS } from "../src/migrations/all.ts";
import { insertPrincipal, insertSystem, insertTenant } from "../src/tenancy/tenants-store.ts";

/** Resolves to the database, which is closed after the test. */
export async function emptyDatabase(t: Pick<TestContext, "after">): Promise<Database> {
  const database = await newDatabase(t);
  await migrate(database, () => serviceTime(0), [soleSchema(MIGRATIONS)]);
  return database;
}

/** The tenant of the tests. */
export const TENANT = "tnt_00000000000000000000000001";
/** Its system. */
export const SYSTEM = "sys_00000000000000000000000001";
/** The service's own principal. */
export const OPERATOR: Principal = { tenantId: TENANT, kind: "service", id: "svc-server", roles: [] };

/** Returns the same with a tenant, its system and the service's own principal. */
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
