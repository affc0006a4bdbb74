/** A real database in which something else happens before a transaction: how two requests come between each other. */
import type { Database } from "@svc/host/store";

/** The database; before each transaction of a sort something else may happen. */
export function watched(database: Database, sort: "read" | "write", before: () => Promise<void>): Database {
  return new Proxy(database, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name !== sort) return value.bind(target);
      return async (work: never) => {
        await before();
        return value.call(target, work);
      };
    },
  });
}
