/**
 * The real database, with a count of each row that a statement looks at: reads go through views of the same names,
 * whose condition is a function that counts. SQLite replaces such a view by its table, so that the plan stays the same;
 * the statements are stored as well, so that a test can compare that.
 */
import { DatabaseSync } from "node:sqlite";
import { type EmbeddedDatabase, openSqlite, type Reader, type SqlValue } from "@svc/host/store";

/** The rows looked at since the last call. */
export interface Looked {
  /** Rows and entries of indexes, by table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly total: number;
  /** The plan of each statement, over the tables themselves and over the views. */
  readonly plans: readonly {
    readonly sql: string;
    readonly plain: readonly string[];
    readonly viewed: readonly string[];
  }[];
}

/** A database whose reads are counted. */
export interface CountingDatabase extends EmbeddedDatabase {
  /** Counts reads from now on. */
  count(): void;
  looked(): Looked;
}

/** The `openDatabase` of a service. */
export function openCounting(...[path, onUncertain]: Parameters<typeof openSqlite>): CountingDatabase {
  const real = openSqlite(path, onUncertain);
  let counted: DatabaseSync | null = null;
  const plain = new DatabaseSync(path, { readOnly: true });
  let rows: Record<string, number> = {};
  let statements: { sql: string; values: SqlValue[] }[] = [];

  const open = () => {
    const database = new DatabaseSync(path, { readOnly: true });
    database.function("looked_at_row", (table, _row) => {
      const name = String(table);
      rows[name] = (rows[name] ?? 0) + 1;
      return 1;
    });
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[];
    // The row's number is an argument so that the function is called for each row.
    for (const { name } of tables.filter((table) => !table.name.startsWith("sqlite_")))
      database.exec(`CREATE TEMP VIEW ${name} AS SELECT * FROM main.${name} t WHERE looked_at_row('${name}', t.rowid)`);
    return database;
  };
  const reader: Reader = {
    all: async <Row>(sql: string, ...values: SqlValue[]) => {
      statements.push({ sql, values });
      return prepare(counted, sql).all(...values) as Row[];
    },
    first: async <Row>(sql: string, ...values: SqlValue[]) => {
      statements.push({ sql, values });
      return (prepare(counted, sql).get(...values) as Row | undefined) ?? null;
    },
    tables: () => real.read((reader) => reader.tables()),
    isCopy: () => real.read((reader) => reader.isCopy()),
  };
  const prepare = (database: DatabaseSync | null, sql: string) => {
    if (database === null) throw new Error("nothing is counted yet");
    return database.prepare(sql.replace(/\$(\d+)/g, "?$1"));
  };
  const steps = (database: DatabaseSync | null, { sql, values }: { sql: string; values: SqlValue[] }) =>
    (prepare(database, `EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[]).map(({ detail }) => detail);
  return {
    maxWriters: 1,
    read: (work) => (counted === null ? real.read(work) : work(reader)),
    write: (work) => real.write(work),
    prepareForgetting: () => real.prepareForgetting(),
    forgetDeleted: () => real.forgetDeleted(),
    get commits() {
      return real.commits;
    },
    copyTo: (to) => real.copyTo(to),
    close: async () => {
      counted?.close();
      plain.close();
      await real.close();
    },
    count: () => {
      counted = open();
    },
    looked: () => {
      const plans = statements.map((one) => ({ sql: one.sql, plain: steps(plain, one), viewed: steps(counted, one) }));
      const total = Object.values(rows).reduce((sum, number) => sum + number, 0);
      const looked = { rows, total, plans };
      [rows, statements] = [{}, []];
      return looked;
    },
  };
}
