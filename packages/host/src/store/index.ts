/** The database of a program: its operations, the embedded one, migrations, and lists of which a page costs a page. */
export {
  type Condition,
  equal,
  type Filter,
  type IndexedFilter,
  indexLead,
  type Lead,
  type ListSql,
  merged,
  type Part,
  type Place,
  type Walked,
  walk,
  where,
  written,
} from "./bounded-walk.ts";
export { becomeOriginal, isCopy } from "./copy-sqlite.ts";
export {
  type Database,
  type EmbeddedDatabase,
  expectMoved,
  type Reader,
  type SqlValue,
  StoreFull,
  StoreUnavailable,
  StoreUncertain,
  WriteConflict,
  type Writer,
} from "./database.ts";
export { type Migration, migrate, newestSchema, requireSchema, schemaVersion } from "./migrate.ts";
export { IN_MEMORY, openSqlite } from "./sqlite.ts";
export { Connection, storeFault } from "./sqlite-connection.ts";
export { SqliteReaders } from "./sqlite-readers.ts";
