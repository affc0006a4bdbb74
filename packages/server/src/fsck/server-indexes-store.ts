/** A PostgreSQL server's check of its indexes, by its extension amcheck: all SQL about it. */
import type { Reader, Writer } from "@svc/host/store";

/** An index, and the table of which it has the rows. */
export interface Index {
  readonly name: string;
  readonly table: string;
}

/** Resolves to all indexes that have a tree; those of partitions one by one. */
export function allIndexes(reader: Reader): Promise<Index[]> {
  return reader.all<Index>(
    `SELECT c.relname::text AS name, t.relname::text AS "table" FROM pg_index i
     JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
     WHERE t.relnamespace = current_schema()::regnamespace AND c.relkind = 'i' ORDER BY 1`,
  );
}

/** Resolves to the schema with the functions of amcheck, as SQL; null where this user has none. */
export async function schemaOfAmcheck(reader: Reader): Promise<string | null> {
  const row = await reader.first<{ schema: string }>(
    `SELECT quote_ident(n.nspname) AS schema FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
     WHERE e.extname = 'amcheck' AND has_schema_privilege(n.oid, 'USAGE')
       AND has_function_privilege(to_regprocedure(format('%I.bt_index_check(regclass, boolean)', n.nspname)), 'EXECUTE')`,
  );
  return row?.schema ?? null;
}

/**
 * Compares an index with its table, row by row, and waits for nobody but who changes its definition. Rejects with
 * StatementRefused for a damaged one. `amcheck`: the schema of the functions.
 */
export async function checkIndex(reader: Reader, amcheck: string, { name }: Index): Promise<void> {
  // It takes the time that it needs.
  await reader.all("SELECT set_config('statement_timeout', '0', true)");
  await reader.all(
    `SELECT ${amcheck}.bt_index_check(to_regclass(format('%I.%I', current_schema(), $1::text)), true)`,
    name,
  );
}

/** Rebuilds an index from the rows of its table. Rejects with StatementRefused if two rows claim one place. */
export async function rebuildIndex(writer: Writer, { name }: Index): Promise<void> {
  const row = await writer.first<{ sql: string }>(
    "SELECT format('REINDEX INDEX %I.%I', current_schema(), $1::text) AS sql",
    name,
  );
  await writer.script("", row?.sql ?? "");
}
