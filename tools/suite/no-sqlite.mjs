// Loaded before each process of a run on PostgreSQL: no database opens in a file or in memory, so that no test says
// that it ran on PostgreSQL and did not. The lock of a data folder is SQLite's too, and no store; and so is the memory
// of the witness, which is never in the database of the server. The commands that compare the schema of a server make
// one in memory.
import { syncBuiltinESMExports } from "node:module";

const COMPARES_SCHEMA = process.argv.some((word) => word === "fsck" || word === "doctor");
const allowed = COMPARES_SCHEMA ? /^:memory:$|\.lock$|\/witness\.db$/ : /\.lock$|\/witness\.db$/;

/** Undefined on an old Node, which opens none. */
const sqlite = process.getBuiltinModule("node:sqlite");

if (sqlite !== undefined) {
  sqlite.DatabaseSync = class extends sqlite.DatabaseSync {
    constructor(path, ...options) {
      if (!allowed.test(`${path}`)) throw new Error(`a run on PostgreSQL opens the SQLite database ${path}`);
      super(path, ...options);
    }
  };
  syncBuiltinESMExports();
}
