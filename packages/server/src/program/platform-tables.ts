/**
 * The tables of a program with more families than the thin server, as the thin server sees them in a database: it
 * leaves them alone. The program itself knows them by its schemas.
 */
import { madeTables, type Reader, type Schema } from "@svc/host/store";

/** The table of the migrations of the families that a program adds to those of the thin server. */
export const PLATFORM_MIGRATIONS = "platform_migrations";

/** Resolves to the names of the tables that belong to another program than the one of these schemas. */
export async function tablesOfOthers(reader: Reader, schemas: readonly Schema[]): Promise<string[]> {
  if (schemas.some(({ table }) => table === PLATFORM_MIGRATIONS)) return [];
  return madeTables(reader, PLATFORM_MIGRATIONS);
}
