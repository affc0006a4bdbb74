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
