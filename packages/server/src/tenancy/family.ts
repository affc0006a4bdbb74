/** Tenants, their systems, and the keys by which the server knows them. */
import { administrationTable } from "@svc/host/store";
import type { ServerFamily } from "../context.ts";
import { checkTenancy } from "./check-tenancy.ts";
import { diagnoseSystemKeys } from "./diagnose.ts";
import { TENANCY_EVENTS } from "./events.ts";
import { retiredSystems } from "./migrations/0031-retired-systems.ts";
import { keyUsesPart } from "./system-keys.ts";

/** The family of tenants and system keys. */
export const tenancy = {
  name: "tenancy",
  tables: [
    administrationTable("service", "service_no"),
    administrationTable("tenants", "tenant_id"),
    administrationTable("principals", "tenant_id", "principal_id"),
    administrationTable("credentials", "credential_id"),
    administrationTable("systems", "system_id"),
    administrationTable("access_log", "access_id"),
  ],
  migrations: [retiredSystems],
  events: TENANCY_EVENTS,
  parts: [keyUsesPart],
  check: checkTenancy,
  diagnose: diagnoseSystemKeys,
} satisfies ServerFamily;
