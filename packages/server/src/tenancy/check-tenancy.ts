/**
 * Checks the row of the service, and system keys. Columns that no evidence binds, such as names of tenants, are NOT
 * checked.
 */
import { difference, type Fault, type StrayRule, strayRows } from "@svc/host/checks";
import type { CheckContext } from "../check-context.ts";
import { earlierPepper, serviceRow } from "../signing/service-store.ts";
import { checkCredentials } from "./check-credentials.ts";
import { unlogged } from "./unlogged.ts";

/** Leaves out the rows that `init` makes: the entry of the service covers them. */
const LATER = "e.created_at <> (SELECT created_at FROM service)";
const STRAYS: readonly StrayRule[] = [
  {
    table: "service",
    id: "evidence_origin",
    fault: "the audit log does not say that it was made: its entry service.initialised is not there",
    where: "NOT EXISTS (SELECT 1 FROM access_log l WHERE l.action = 'service.initialised')",
  },
  unlogged("tenants", "tenant_id", "tenant.created", LATER),
  unlogged("systems", "system_id", "system.created", LATER),
  {
    table: "systems",
    id: "system_id",
    fault: "its retirement is another one than that of the audit log, or is there alone",
    where:
      "COALESCE(e.retired_at, '') <> COALESCE((SELECT MAX(l.at) FROM access_log l " +
      "WHERE l.object_id = e.system_id AND l.action = 'system.retired'), '')",
  },
  {
    table: "principals",
    id: "principal_id",
    fault: "it belongs to a retired system, and is not shut off",
    where:
      "e.disabled_at IS NULL AND EXISTS (SELECT 1 FROM systems s WHERE s.tenant_id = e.tenant_id " +
      "AND s.system_id = e.principal_id AND s.retired_at IS NOT NULL)",
  },
  unlogged("signing_keys", "kid", "signing_key.rotated", "e.kid IN (SELECT endorsed_kid FROM key_endorsements)"),
];

/** Yields the faults of these rows. */
export async function* checkTenancy(context: CheckContext): AsyncGenerator<Fault> {
  const { database, origin, keyedHash } = context;
  const [service, earlier] = await database.read(async (reader) => [
    await serviceRow(reader),
    await earlierPepper(reader),
  ]);
  // The folder can have the earlier pepper a little longer than the database needs it.
  const inFolder = keyedHash.earlier?.hash("pepper", "") ?? null;
  const changed = difference(
    "service",
    {},
    { ...service, earlier_pepper_mac: earlier?.mac ?? inFolder },
    { evidence_origin: origin, pepper_mac: keyedHash.pepperMac, earlier_pepper_mac: inFolder },
  );
  if (changed !== null) yield changed;
  yield* checkCredentials(database);
  yield* strayRows(context, STRAYS);
}
