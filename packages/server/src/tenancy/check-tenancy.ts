/**
 * Checks the row of the service, and system keys. Columns that no evidence binds, such as names of tenants, are NOT
 * checked.
 */
import { difference, type Fault } from "@svc/host/checks";
import type { CheckContext } from "../check-context.ts";
import { checkCredentials } from "./check-credentials.ts";
import { serviceRow } from "./service-store.ts";

/** Yields the faults of these rows. */
export async function* checkTenancy({ database, origin, keyedHash }: CheckContext): AsyncGenerator<Fault> {
  const service = await database.read(serviceRow);
  const fixed = { evidence_origin: origin, pepper_mac: keyedHash.hash("pepper", "") };
  const changed = difference("service", {}, service ?? {}, fixed);
  if (changed !== null) yield changed;
  yield* checkCredentials(database);
}
