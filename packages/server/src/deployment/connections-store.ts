/** The connections of servers and commands to a database on a server: all SQL about them. */
import type { Reader } from "@svc/host/store";

/** A connection to a server's database. */
export interface Connected {
  readonly pid: number;
  readonly client: string | null;
}

/** Resolves to the connections of servers and commands to a server's database, without this one's own. */
export async function otherConnections(reader: Reader): Promise<Connected[]> {
  // Within a transaction the server would show the same picture again.
  await reader.all("SELECT pg_stat_clear_snapshot()");
  return reader.all<Connected>(
    `SELECT pid, host(client_addr) AS client FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'svc-server' AND pid <> pg_backend_pid() ORDER BY pid`,
  );
}
