/**
 * Connections to a PostgreSQL server, or to several of which one is the primary: opened as needed, kept, and thrown
 * away after a fault. No connection keeps any state on which a transaction depends, so that a pooler such as PgBouncer
 * may be between.
 */
import type pg from "pg";
import { StoreUnavailable } from "./database.ts";
import { ONLY_READS, SERVING, type View } from "./postgres-backend.ts";
import { addressOf, Connection, type Target, targetsOf } from "./postgres-connection.ts";
import { throwFault } from "./postgres-fault.ts";
import type { PrimaryDiscovery } from "./postgres-primary-discovery.ts";
import { Silence } from "./postgres-silence.ts";

/** How long a caller waits for a connection. */
const TAKE_MS = 10_000;
/**
 * How long a connection that writes is kept. Its plans were made for tables as large as they were then: in a new
 * deployment the best plan for an empty table is a bad one soon, and nothing else tells the server to plan again.
 */
const PLANS_MS = 10_000;
/** A server that gave no sign is tried after the others for so long. */
const DOUBTED_MS = 30_000;

/** The server of a pool, and its use. */
export interface PoolOptions {
  readonly url: string;
  /** The most connections. */
  readonly most: number;
  /** Whether it is to be written: then only a primary is good enough. */
  readonly isForWriting: boolean;
  /** Pools of one database share it: what one of them knows of the standbys, all do. */
  readonly discovery: PrimaryDiscovery;
}

interface Waiting {
  readonly resolve: (connection: Connection) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

/** A pool of connections. */
export class PostgresPool {
  readonly #options: PoolOptions;
  readonly #silence: Silence = new Silence((address) => this.#doubt(address));
  readonly #idle: Connection[] = [];
  readonly #waiting: Waiting[] = [];
  /** By address: when its server gave no sign. */
  readonly #doubted = new Map<string, number>();
  #count = 0;
  #closed = false;
  #onEmpty: () => void = () => undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Resolves to a connection, to be given back. Rejects with StoreUnavailable. */
  take(): Promise<Connection> {
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
  giveBack(connection: Connection, isBroken: boolean): void {
    if (isBroken || this.#closed || this.#isOld(connection)) {
      this.#end(connection);
      this.#forget();
      return;
    }
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#idle.push(connection);
      return;
    }
    clearTimeout(next.timer);
    next.resolve(connection);
  }

  /** Throws away the connections that are not in use, so that the next ones are opened anew. */
  throwIdleAway(): void {
    for (const connection of this.#idle.splice(0)) {
      this.#end(connection);
      this.#count -= 1;
    }
  }

  /** Closes the idle connections, and the others when they are given back. Resolves when all are closed. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#options.discovery.close();
    for (const { reject, timer } of this.#waiting.splice(0)) {
      clearTimeout(timer);
      reject(closed());
    }
    const idle = this.#idle.splice(0);
    for (const connection of idle) this.#silence.forget(connection);
    await Promise.all(idle.map((connection) => connection.end()));
    this.#count -= idle.length;
    if (this.#count > 0) await new Promise<void>((resolve) => (this.#onEmpty = resolve));
  }

  /** One connection fewer: a caller that waits can open another. */
  #forget(): void {
    this.#count -= 1;
    if (this.#closed && this.#count === 0) this.#onEmpty();
    const next = this.#waiting.shift();
    if (next === undefined) return;
    clearTimeout(next.timer);
    this.take().then(next.resolve, next.reject);
  }

  #wait(): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(new StoreUnavailable(`all connections to the database were in use for ${TAKE_MS} ms`));
      }, TAKE_MS);
      const waiting = { resolve, reject, timer };
      this.#waiting.push(waiting);
    });
  }

  /** Opens a connection to the primary, or, without one and if reading suffices, to a server that only reads. */
  async #open(): Promise<Connection> {
    const { url, isForWriting, discovery } = this.#options;
    let standby: Connection | null = null;
    let fault: Error | null = null;
    for (const target of this.#inOrder(targetsOf(url)))
      try {
        const connection = await Connection.open(target);
        this.#silence.watch(connection);
        try {
          if (await onlyReads(connection)) {
            if (standby === null && !isForWriting) standby = connection;
            else this.#end(connection);
            fault ??= new StoreUnavailable("the server of the database only reads now");
            continue;
          }
          await discovery.require(await viewOf(connection, discovery), target);
        } catch (error) {
          this.#end(connection);
          throw error;
        }
        if (standby !== null) this.#end(standby);
        return this.#kept(connection);
      } catch (error) {
        fault = error as Error;
      }
    if (standby === null) throw fault ?? closed();
    return this.#kept(standby);
  }

  /** Returns the targets, those of servers that have just given no sign at the end. */
  #inOrder(targets: readonly Target[]): Target[] {
    const isDoubted = (target: Target) =>
      Number(performance.now() - (this.#doubted.get(addressOf(target)) ?? -DOUBTED_MS) < DOUBTED_MS);
    return targets.toSorted((a, b) => isDoubted(a) - isDoubted(b));
  }

  /** The server at an address gives no sign: none of its connections is used again. */
  #doubt(address: string): void {
    this.#doubted.set(address, performance.now());
    this.#options.discovery.doubt(address);
  }

  #isOld({ openedAt }: Connection): boolean {
    return this.#options.isForWriting && performance.now() - openedAt > PLANS_MS;
  }

  #end(connection: Connection): void {
    this.#silence.forget(connection);
    connection.cut();
  }

  /** An idle connection that fails is forgotten. */
  #kept(connection: Connection): Connection {
    connection.onError(() => {
      const index = this.#idle.indexOf(connection);
      if (index < 0) return;
      this.#idle.splice(index, 1);
      this.#end(connection);
      this.#forget();
    });
    return connection;
  }
}

async function onlyReads(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query<{ only_reads: boolean }>(ONLY_READS).catch(throwFault);
  return rows[0]?.only_reads !== false;
}

/** Resolves to what a process of a server sees now. */
export async function viewOf(connection: Connection, discovery: Pick<PrimaryDiscovery, "view">): Promise<View> {
  const ask = async (what: string): Promise<View> => {
    const { rows } = await connection.query<View & pg.QueryResultRow>(`SELECT ${what}`).catch(throwFault);
    return rows[0] as View;
  };
  const serving = await ask(SERVING);
  return serving.waits && serving.keeps_commits ? ask(discovery.view) : serving;
}

function closed(): StoreUnavailable {
  return new StoreUnavailable("the database is closed");
}
