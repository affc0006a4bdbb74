/** Where a database is, as data. A location on a server holds a password: it is never logged. */
import type { Risk } from "./postgres-backend.ts";

/** A database in a file of this machine. */
export interface FileLocation {
  readonly file: string;
}

/** A database of a PostgreSQL server. */
export interface ServerLocation {
  /** `postgres://user:password@host:port/database`, with several hosts if one can take over from another. */
  readonly url: string;
  /** The risks that the operator has named, and takes. */
  readonly risks: readonly Risk[];
}

/** Where a database is. */
export type DatabaseLocation = FileLocation | ServerLocation;
