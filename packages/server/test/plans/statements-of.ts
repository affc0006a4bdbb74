/** The embedded database, with a list of the statements that were run on it. Rows to be inserted are not among them. */
import { type EmbeddedDatabase, openSqlite, type Reader, type Writer } from "@svc/host/store";

/** A database that keeps the text of each statement, once. */
export interface ListingDatabase extends EmbeddedDatabase {
  readonly statements: ReadonlySet<string>;
}

/** The `openDatabase` of a service. */
export function openListing(...[path, onUncertain]: Parameters<typeof openSqlite>): ListingDatabase {
  const real = openSqlite(path, onUncertain);
  const statements = new Set<string>();
  const noted = <Client extends Reader>(client: Client): Client =>
    new Proxy(client, {
      get: (target, name) => {
        const value = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...values: unknown[]) => {
          if (["all", "first", "run"].includes(String(name))) statements.add(String(values[0]));
          return value.apply(target, values);
        };
      },
    });
  return {
    statements,
    maxWriters: real.maxWriters,
    read: (work) => real.read((reader) => work(noted(reader))),
    write: (work, options) => real.write((writer: Writer) => work(noted(writer)), options),
    prepareForgetting: () => real.prepareForgetting(),
    forgetDeleted: () => real.forgetDeleted(),
    get commits() {
      return real.commits;
    },
    copyTo: (to) => real.copyTo(to),
    close: () => real.close(),
  };
}
