/**
 * Whether a primary is believed. A running primary shows a commit only once its synchronous standbys have it. After a
 * restart, though, it shows all that is in its log, and if a standby is promoted in its place, some of that never was:
 * who had read it would hold evidence of a fork. So each new connection waits until the standbys have what the primary
 * had when the connection was opened.
 *
 * The wait is that of a commit of its own, which needs no right on the server. It stays on the server as long as the
 * standbys are away, so there is one for all connections that wait.
 */
import type pg from "pg";
import { StoreUnavailable } from "./database.ts";
import { commit, within } from "./postgres-commit.ts";
import { throwFault } from "./postgres-fault.ts";

/** How long a connection waits, and how long the standbys are waited for before a new attempt. */
const BELIEVED_MS = 5_000;
const ASKED_MS = 30_000;

/** A commit that changes nothing, and is in the log. */
const ASK = "BEGIN; SELECT pg_logical_emit_message(true, 'svc', ''); COMMIT";

/** Opens a connection, and ends one. */
interface Connections {
  connect(target: pg.ClientConfig): Promise<pg.Client>;
  end(client: pg.Client): void;
}

/** The belief of a pool in the servers that it connects to. */
export class Belief {
  readonly #connections: Connections;
  /** The waits that go on, by the addresses of their servers. */
  readonly #asking = new Map<string, Promise<void>>();
  readonly #clients = new Set<pg.Client>();
  #isClosed = false;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Rejects with StoreUnavailable unless the standbys have all that a new connection to a primary may show. */
  async require(client: pg.Client, target: pg.ClientConfig): Promise<void> {
    const sql = "SELECT current_setting('synchronous_standby_names') <> '' AS waits";
    const { rows } = await client.query<{ waits: boolean }>(sql).catch(throwFault);
    if (rows[0]?.waits !== true) return;
    const address = `${target.host}:${target.port}`;
    let asking = this.#asking.get(address);
    if (asking === undefined) {
      asking = this.#ask(target).finally(() => this.#asking.delete(address));
      this.#asking.set(address, asking);
    }
    await within(BELIEVED_MS, asking).catch((error: unknown) => {
      throw new StoreUnavailable("the standbys of the database may not have all that it shows", { cause: error });
    });
  }

  /** Ends the waits. */
  close(): void {
    this.#isClosed = true;
    for (const client of this.#clients) this.#connections.end(client);
  }

  async #ask(target: pg.ClientConfig): Promise<void> {
    const client = await this.#connections.connect(target);
    this.#clients.add(client);
    try {
      if (this.#isClosed) throw new StoreUnavailable("the database is closed");
      const { warning } = await commit(client, ASK, ASKED_MS).catch(throwFault);
      if (warning !== null) throw new StoreUnavailable(warning);
    } finally {
      this.#clients.delete(client);
      this.#connections.end(client);
    }
  }
}
