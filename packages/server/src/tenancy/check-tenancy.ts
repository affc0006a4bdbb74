/**
 * Checks the row of the service, and system keys. Columns that no evidence binds, such as names of tenants, are NOT
 * checked.
 */
import { difference, type Fault } from "@svc/host/checks";
import type { CheckContext } from "../check-context.ts";
import { checkCredentials } from "./check-credentials.ts";
import { earlierPepper, serviceRow } from "./service-store.ts";

/** Yields the faults of these rows. */
export async function* checkTenancy({ database, origin, keyedHash }: CheckContext): AsyncGenerator<Fault> {
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
}
