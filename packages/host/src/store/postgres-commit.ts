/** Commits on a connection, and what PostgreSQL says of them. */
import type pg from "pg";
import type { Connection } from "./postgres-connection.ts";

/**
 * Runs statements of which the last one is COMMIT. Resolves to their answers, of which the last is that of a ROLLBACK
 * for a transaction that has failed, and to a warning: the commit is on the server's own disk then, but the standbys
 * for which it should have waited may not have it. Rejects with the errors of the driver, and if there is no answer in
 * time.
 */
export async function commit(
  connection: Connection,
  sql: string,
  milliseconds: number,
): Promise<{ readonly answers: readonly pg.QueryResult[]; readonly warning: string | null }> {
  let warning: string | null = null;
  const end = connection.onNotice((notice) => {
    if (notice.severity === "WARNING") warning = notice.message ?? "a warning";
  });
  try {
    return { answers: await within(milliseconds, connection.queries(sql)), warning };
  } finally {
    end();
  }
}

/** Rejects if it takes longer than some milliseconds. */
export function within<T>(milliseconds: number, waited: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer for ${milliseconds} ms`)), milliseconds);
    waited.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
