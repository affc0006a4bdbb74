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
export { becomeOriginal, copySqlite } from "./copy-sqlite.ts";
export {
  AnswerLost,
  type Database,
  type EmbeddedDatabase,
  expectMoved,
  type InsertInto,
  type Reader,
  type SqlValue,
  StoreFull,
  StoreUnavailable,
  StoreUncertain,
  WriteConflict,
  type WriteOptions,
  type Writer,
} from "./database.ts";
export { inList, padded, rowsOf } from "./in-list.ts";
export type { DatabaseLocation, FileLocation, ServerLocation } from "./location.ts";
export {
  type OpenedDatabase,
  openDatabase,
  openReaders,
  type Readers,
} from "./locations.ts";
export {
  type Migration,
  madeTables,
  migrate,
  newestVersion,
  requireSchemas,
  type Schema,
  schemaVersion,
  soleSchema,
} from "./migrate.ts";
export type { Check } from "./postgres.ts";
export { RISKS, type Risk } from "./postgres-backend.ts";
export { StatementRefused } from "./postgres-fault.ts";
export { requireServer, type ServerFigures, UnfitServer } from "./postgres-server.ts";
export { openSole } from "./sole-sqlite.ts";
export { IN_MEMORY, openSqlite } from "./sqlite.ts";
export { Connection, storeFault } from "./sqlite-connection.ts";
export { SqliteReaders } from "./sqlite-readers.ts";
export { administrationTable, type Growth, logTable, OWN_TABLES, requestTable, type Table } from "./table.ts";
export { together } from "./together.ts";
