/** The drivers of the database, for tests of what every driver must keep: the next driver joins the list. */
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type Database, openSqlite } from "@svc/host/store";
import { temporaryFolder } from "./temporary-folder.ts";

/** Each driver: makes a database, and opens the same one again as another process would. */
export const DRIVERS: Readonly<Record<string, (t: Pick<TestContext, "after">) => () => Database>> = {
  sqlite: (t) => {
    const path = join(temporaryFolder(), "svc.db");
    return () => {
      const database = openSqlite(path);
      t.after(() => database.close());
      return database;
    };
  },
};
