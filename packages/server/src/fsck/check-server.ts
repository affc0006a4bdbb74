/**
 * Checks the database of a PostgreSQL server by itself, as check-file.ts does for a file: each index has the rows of
 * its table. The server's extension amcheck does that, where the deployment's user may run it. Pages are the server's
 * own: it compares their checksums as it reads them.
 */
import type { Fault } from "@svc/host/checks";
import { type Database, StatementRefused } from "@svc/host/store";
import { type Checked, checkEvidence } from "./check-evidence.ts";
import { checkSchema } from "./check-schema.ts";
import { allIndexes, checkIndex, type Index, rebuildIndex, schemaOfAmcheck } from "./server-indexes-store.ts";

/** The server's codes for data that is not as it was written. */
const DAMAGED: readonly string[] = ["XX001", "XX002"];
/** The words of a page with another checksum: it may be one of the table, whose rows are lost then. */
const BAD_PAGE = /^.*invalid page in block/;

/** Resolves to whether indexes can be looked at. */
export async function canCheckIndexes(database: Pick<Database, "read">): Promise<boolean> {
  return (await database.read(schemaOfAmcheck)) !== null;
}

/** Yields the faults of indexes, each with its table; none where they cannot be looked at. */
export async function* checkIndexes(
  database: Pick<Database, "read">,
  onStep: (words: string) => void = () => undefined,
): AsyncGenerator<Fault> {
  const amcheck = await database.read(schemaOfAmcheck);
  if (amcheck === null) return;
  for (const index of await database.read(allIndexes)) {
    onStep(`index ${index.name}`);
    const fault = await faultOf(database, amcheck, index);
    if (fault !== null) yield fault;
  }
}

/** Yields all faults: those of indexes first, then those of the evidence. */
export async function* checkServerDatabase(checked: Checked): AsyncGenerator<Fault> {
  yield* checkIndexes(checked.database, checked.onStep);
  yield* checkSchema(checked.database, checked.program, { onServer: true });
  yield* checkEvidence(checked);
}

/** Rebuilds all indexes, one after the other. Who needs one waits for it meanwhile. */
export async function rebuildServerIndexes(database: Database): Promise<void> {
  for (const index of await database.read(allIndexes)) await database.write((writer) => rebuildIndex(writer, index));
}

async function faultOf(database: Pick<Database, "read">, amcheck: string, index: Index): Promise<Fault | null> {
  try {
    await database.read((reader) => checkIndex(reader, amcheck, index));
    return null;
  } catch (error) {
    if (!(error instanceof StatementRefused && DAMAGED.includes(error.code))) throw error;
    const row: Fault["row"] = BAD_PAGE.test(error.message) ? {} : { index: index.name };
    return { table: index.table, row, fault: error.message };
  }
}
