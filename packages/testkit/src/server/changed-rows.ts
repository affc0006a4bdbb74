/**
 * Rows that are changed behind a server's back, as somebody with access to its database could, on whichever store it
 * has.
 */
import type { Database, SqlValue } from "@svc/host/store";

/** A server, or what else has a database. */
export interface WithDatabase {
  readonly server: { readonly service: { readonly context: { readonly database: Database } } };
}

/** Runs a statement, and resolves to the number of rows that it changed. */
export function runSql({ server }: WithDatabase, sql: string, ...parameters: SqlValue[]): Promise<number> {
  return server.service.context.database.write((writer) => writer.run(sql, ...parameters));
}

/** Resolves to the rows of a query. */
export function readSql<Row>({ server }: WithDatabase, sql: string, ...parameters: SqlValue[]): Promise<Row[]> {
  return server.service.context.database.read((reader) => reader.all<Row>(sql, ...parameters));
}

/** Resolves to the number of rows of a table. */
export async function countRows(here: WithDatabase, table: string): Promise<number> {
  const [row] = await readSql<{ count: number }>(here, `SELECT COUNT(*) AS count FROM ${table}`);
  return row?.count ?? 0;
}

/**
 * Changes the JSON documents of a table's column `document`; `change` returns the members that become others. `where`:
 * a condition in SQL, for some of the rows alone.
 */
export async function changeDocuments(
  { server }: WithDatabase,
  table: string,
  // biome-ignore lint/suspicious/noExplicitAny: documents are read by the members that the test expects
  change: (document: any) => object,
  where = "1 = 1",
): Promise<void> {
  await server.service.context.database.write(async (writer) => {
    const rows = await writer.all<{ document: string }>(`SELECT document FROM ${table} WHERE ${where}`);
    for (const { document } of rows) {
      const old: unknown = JSON.parse(document);
      const changed = JSON.stringify({ ...(old as object), ...change(old) });
      await writer.run(`UPDATE ${table} SET document = $1 WHERE document = $2`, changed, document);
    }
  });
}
