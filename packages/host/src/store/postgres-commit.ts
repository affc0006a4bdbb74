/** Commits on a connection, and what PostgreSQL says of them. */
import type pg from "pg";

/**
 * Runs statements of which the last one is COMMIT. Resolves to the command that the server carried out last, ROLLBACK
 * for a transaction that has failed, and to its warning: the commit is on its own disk then, but the standbys for which
 * it should have waited may not have it. Rejects with the errors of the driver, and if there is no answer in time.
 */
export async function commit(
  client: pg.Client,
  sql: string,
  milliseconds: number,
): Promise<{ readonly command: string | undefined; readonly warning: string | null }> {
  let warning: string | null = null;
  const note = (notice: { severity?: string | undefined; message?: string | undefined }) => {
    if (notice.severity === "WARNING") warning = notice.message ?? "a warning";
  };
  client.on("notice", note);
  try {
    const answers = (await within(milliseconds, client.query(sql))) as unknown as pg.QueryResult[];
    return { command: answers.at(-1)?.command, warning };
  } finally {
    client.off("notice", note);
  }
}

/** Rejects if it takes longer than some milliseconds. */
export function within<T>(milliseconds: number, waited: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer for ${milliseconds} ms`)), milliseconds);
    waited.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
