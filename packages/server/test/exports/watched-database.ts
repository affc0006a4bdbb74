/** A real database with an action before some of its transactions: this brings two requests between each other. */
import type { Database } from "@svc/host/store";

/** Returns the database; `before` may act before each transaction of one sort. */
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
