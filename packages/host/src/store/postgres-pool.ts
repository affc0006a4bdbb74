/**
 * Connections to a PostgreSQL server, or to several of which one is the primary: opened as needed, kept, and thrown
 * away after a fault. No connection keeps any state on which a transaction depends, so that a pooler such as PgBouncer
 * may stand between.
 */
import pg from "pg";
import { parse } from "pg-connection-string";
import { StoreUnavailable } from "./database.ts";
import { Belief } from "./postgres-belief.ts";
import { throwFault } from "./postgres-fault.ts";

/** How long a connection may take to be opened. */
const CONNECT_MS = 5_000;
/** How long a caller waits for a connection. */
const TAKE_MS = 10_000;
/**
 * How long a connection that writes is kept. Its plans were made for tables as large as they were then: in a new
 * deployment the best plan for an empty table is a bad one soon, and nothing else tells the server to plan again.
 */
const PLANS_MS = 10_000;
/** Numbers that need 64 bits (oid 20), and those without bounds (oid 1700), which sums have: all of ours are exact. */
const NUMBERS: readonly number[] = [20, 1700];

/** The server of a pool, and its use. */
export interface PoolOptions {
  readonly url: string;
  /** The most connections. */
  readonly most: number;
  /** Whether it is to be written: then only a primary is good enough. */
  readonly isForWriting: boolean;
}

interface Waiting {
  readonly resolve: (client: pg.Client) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

/** A pool of connections. */
export class PostgresPool {
  readonly #options: PoolOptions;
  readonly #belief = new Belief({ connect, end: endNow });
  readonly #idle: pg.Client[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #openedAt = new WeakMap<pg.Client, number>();
  #count = 0;
  #closed = false;
  #onEmpty: () => void = () => undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Resolves to a connection, to be given back. Rejects with StoreUnavailable. */
  take(): Promise<pg.Client> {
    if (this.#closed) return Promise.reject(closed());
    const idle = this.#idle.pop();
    if (idle !== undefined) return Promise.resolve(idle);
    if (this.#count >= this.#options.most) return this.#wait();
    this.#count += 1;
    return this.#open().catch((error: unknown) => {
      this.#forget();
      throw error;
    });
  }

  /** Takes a connection back; one that is broken, old, or in a state that nobody knows, is thrown away. */
  giveBack(client: pg.Client, isBroken: boolean): void {
    if (isBroken || this.#closed || this.#isOld(client)) {
      endNow(client);
      this.#forget();
      return;
    }
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#idle.push(client);
      return;
    }
    clearTimeout(next.timer);
    next.resolve(client);
  }

  /** Throws away the connections that are not in use, so that the next ones are opened anew. */
  throwIdleAway(): void {
    for (const client of this.#idle.splice(0)) {
      endNow(client);
      this.#count -= 1;
    }
  }

  /** Closes the idle connections, and the others when they are given back. Resolves when all are closed. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#belief.close();
    for (const { reject, timer } of this.#waiting.splice(0)) {
      clearTimeout(timer);
      reject(closed());
    }
    const idle = this.#idle.splice(0);
    await Promise.all(idle.map((client) => client.end().catch(() => undefined)));
    this.#count -= idle.length;
    if (this.#count > 0) await new Promise<void>((resolve) => (this.#onEmpty = resolve));
  }

  /** One connection fewer: whoever waits can open another. */
  #forget(): void {
    this.#count -= 1;
    if (this.#closed && this.#count === 0) this.#onEmpty();
    const next = this.#waiting.shift();
    if (next === undefined) return;
    clearTimeout(next.timer);
    this.take().then(next.resolve, next.reject);
  }

  #wait(): Promise<pg.Client> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(new StoreUnavailable(`all connections to the database were in use for ${TAKE_MS} ms`));
      }, TAKE_MS);
      const waiting = { resolve, reject, timer };
      this.#waiting.push(waiting);
    });
  }

  /** Opens a connection to the primary, or, if there is none and reading suffices, to a server that only reads. */
  async #open(): Promise<pg.Client> {
    let standby: pg.Client | null = null;
    let fault: Error | null = null;
    for (const target of targetsOf(this.#options.url))
      try {
        const client = await connect(target);
        try {
          if (await onlyReads(client)) {
            if (standby === null && !this.#options.isForWriting) standby = client;
            else endNow(client);
            fault ??= new StoreUnavailable("the server of the database only reads now");
            continue;
          }
          await this.#belief.require(client, target);
        } catch (error) {
          endNow(client);
          throw error;
        }
        if (standby !== null) endNow(standby);
        this.#watch(client);
        return client;
      } catch (error) {
        fault = error as Error;
      }
    if (standby === null) throw fault ?? closed();
    this.#watch(standby);
    return standby;
  }

  #isOld(client: pg.Client): boolean {
    const age = performance.now() - (this.#openedAt.get(client) ?? 0);
    return this.#options.isForWriting && age > PLANS_MS;
  }

  /** An idle connection that the server ends is forgotten. */
  #watch(client: pg.Client): void {
    this.#openedAt.set(client, performance.now());
    client.on("error", () => {
      const index = this.#idle.indexOf(client);
      if (index < 0) return;
      this.#idle.splice(index, 1);
      endNow(client);
      this.#forget();
    });
  }
}

/** Returns the ways to connect, one for each host of a URL. Throws Error for a text that is no such URL. */
export function targetsOf(url: string): pg.ClientConfig[] {
  const [, start, hosts, rest] = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url) ?? [];
  if (start === undefined || hosts === undefined) throw new Error("it does not begin with postgres://");
  return hosts.split(",").map((host) => {
    const { host: name, port, user, password, database, ssl } = parse(`${start}${host}${rest}`);
    if (!name || !user || !database) throw new Error("it does not name host, user and database");
    return {
      host: name,
      port: port ? Number(port) : 5432,
      user,
      password: password ?? "",
      database,
      // The parser of URLs has the type of the driver's own options here, and it is as wide as possible.
      ssl: ssl as pg.ClientConfig["ssl"],
      application_name: "svc-server",
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
      types: { getTypeParser: parserOf as never },
    };
  });
}

const asNumber = (text: string) => Number(text);

function parserOf(oid: number, format: "text" | "binary" = "text"): unknown {
  return NUMBERS.includes(oid) && format === "text" ? asNumber : pg.types.getTypeParser(oid, format as "text");
}

async function connect(target: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(target);
  // A connection that fails while nobody asks anything of it says so once more in the next query.
  client.on("error", () => undefined);
  // Statements of one transaction need not wait for each other's answers on their way.
  (client as unknown as { pipeline: boolean }).pipeline = true;
  await client.connect().catch(throwFault);
  return client;
}

/** Resolves to whether a server only reads, as a standby does. Rejects with what a fault of it means. */
export async function onlyReads(client: pg.Client): Promise<boolean> {
  const sql = "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS only_reads";
  const { rows } = await client.query<{ only_reads: boolean }>(sql).catch(throwFault);
  return rows[0]?.only_reads !== false;
}

/** Ends a connection without waiting for the server. */
function endNow(client: pg.Client): void {
  // Queries that still wait for an answer fail at once.
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  client.end().catch(() => undefined);
}

function closed(): StoreUnavailable {
  return new StoreUnavailable("the database is closed");
}
