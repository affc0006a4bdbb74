/**
 * A PostgreSQL primary and its synchronous standby, which take turns in two seats: when the standby is promoted, the
 * old primary is thrown away, and a new standby takes its seat. Each server under trial reaches both seats by its
 * own proxies, or the primary through a PgBouncer that all such servers share. Where small disks can be mounted, each
 * seat stands on one.
 */
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { startProxy, type Proxy as UnreliableNetwork } from "@svc/testkit/network";
import { deployedPooling, startPgBouncer } from "@svc/testkit/pgbouncer";
import { type Postgres, serve } from "@svc/testkit/postgres";
import { promote, startStandby } from "@svc/testkit/postgres-pair";
import { makeDataFolder } from "@svc/testkit/postgres-programs";
import { type ServerFolder, serverFolder } from "@svc/testkit/server-folder";
import { until } from "@svc/testkit/until";
import { Ends } from "./ends.ts";

const SETTINGS = {
  // The standby can be asked at once for all that was answered.
  synchronous_commit: "remote_apply",
  max_connections: "300",
  max_wal_size: "96MB",
  wal_keep_size: "64MB",
};
const BALLAST = "ballast";
const BALLAST_BYTES = 1024 * 1024;

/** The parents of the folders of the two seats. */
export type SeatFolders = readonly [string, string];

/** The place of one PostgreSQL server after another. Its port is that of the present one. */
interface Seat {
  readonly host: string;
  port: number;
  /** The end of the present server. */
  ends: Ends;
  readonly parent: string;
}

type Taken = Seat & { postgres: Postgres };

/** The way of a server to the cluster: its URL of a database, and the proxy through which it reaches the primary. */
interface Way {
  url(database: string): string;
  network(): UnreliableNetwork;
}

/** The numbers of servers that reach the cluster by themselves, and through PgBouncer. */
export interface Ways {
  readonly direct: number;
  readonly pooled: number;
}

export class Cluster {
  readonly #seats: readonly [Taken, Taken];
  readonly #ends: Ends;
  readonly #ways: Way[] = [];
  /** The seat of the primary, and where it is: PgBouncer is led there. */
  #first: 0 | 1 = 0;
  readonly #lead: { readonly host: string; port: number };

  private constructor(seats: readonly [Taken, Taken], ends: Ends) {
    this.#seats = seats;
    this.#ends = ends;
    this.#lead = { host: seats[0].host, port: seats[0].port };
  }

  /** Starts both, and the ways to them: those through PgBouncer come last. */
  static async make(parents: SeatFolders, { direct, pooled }: Ways): Promise<Cluster> {
    const ends = new Ends();
    const [one, other] = parents.map((parent) => ({ host: "127.0.0.1", port: 0, ends: new Ends(), parent })) as [
      Seat,
      Seat,
    ];
    const folder = serverFolder(one.ends, one.parent);
    const password = await makeDataFolder(join(folder.path, "data"));
    const primary = take(one, await serve(folder, password, SETTINGS));
    const standby = take(other, await followerOf(primary.postgres, serverFolder(other.ends, other.parent)));
    const cluster = new Cluster([primary, standby], ends);
    for (let way = 0; way < direct; way++) await cluster.#addDirect();
    if (pooled > 0) await cluster.#addPooled(pooled);
    return cluster;
  }

  async #addDirect(): Promise<void> {
    const [one, other] = this.#seats;
    const proxies = [await startProxy(this.#ends, one), await startProxy(this.#ends, other)] as const;
    const hosts = proxies.map(({ host, port }) => `${host}:${port}`).join(",");
    this.#ways.push({
      url: (database) => this.primary.url(database).replace(/@[^/]*/, `@${hosts}`),
      network: () => proxies[this.#first],
    });
  }

  async #addPooled(count: number): Promise<void> {
    const proxy = await startProxy(this.#ends, this.#lead);
    const target = { ...this.primary, host: proxy.host, port: proxy.port };
    const pooler = await startPgBouncer(this.#ends, target, { settings: deployedPooling() });
    const way = { url: (database: string) => pooler.through(this.primary.url(database)), network: () => proxy };
    this.#ways.push(...Array.from({ length: count }, () => way));
  }

  get #primary(): Taken {
    return this.#seats[this.#first];
  }

  get #standby(): Taken {
    return this.#seats[this.#first === 0 ? 1 : 0];
  }

  /** The primary, as its administrator sees it. */
  get primary(): Postgres {
    return this.#primary.postgres;
  }

  /** The standby. */
  get standby(): Postgres {
    return this.#standby.postgres;
  }

  /** Returns the URL by which one of the servers under trial reaches a database. */
  url(way: number, database: string): string {
    return this.#way(way).url(database);
  }

  /** Returns the proxy through which a server reaches the primary. */
  way(way: number): UnreliableNetwork {
    return this.#way(way).network();
  }

  #way(number: number): Way {
    const way = this.#ways[number];
    if (way === undefined) throw new RangeError(`there is no way ${number}`);
    return way;
  }

  /**
   * Promotes the standby, throws the old primary away, and starts a new standby. `isFenced`: whether the old primary is
   * stopped before, and not after. `meanwhile`: what is awaited before the old one is thrown away.
   */
  async failOver(isFenced: boolean, meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    const [old, next] = [this.#primary, this.#standby];
    if (isFenced) await old.postgres.stop("immediate");
    await promote(next.postgres);
    this.#lead.port = next.port;
    await meanwhile();
    await old.ends.end();
    this.#first = this.#first === 0 ? 1 : 0;
    take(old, await followerOf(next.postgres, serverFolder(old.ends, old.parent)));
  }

  /** Cancels the commits that wait for the standby, or ends their processes. Resolves when there was one. */
  async endWaiting(how: "cancel" | "terminate"): Promise<void> {
    await until("a commit waits for the standby", async () => {
      const waiting = await this.primary.run(
        `SELECT pg_${how}_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`,
      );
      return waiting.length > 0 ? true : null;
    });
  }

  /** Fills the disk of the primary. */
  fill(): void {
    const file = openSync(join(this.#primary.parent, BALLAST), "w");
    try {
      for (let bytes = BALLAST_BYTES; bytes >= 1; bytes /= 2) writeUntilFull(file, Buffer.alloc(bytes));
    } finally {
      closeSync(file);
    }
  }

  /** Makes room again, starts the primary if it has ended meanwhile, and resolves when it can be written. */
  async free(): Promise<void> {
    const { primary } = this;
    rmSync(join(this.#primary.parent, BALLAST));
    await until("the primary is written again", async () => {
      if (!primary.isRunning) await primary.start();
      return primary.run("SELECT pg_logical_emit_message(true, 'room', '')").catch(() => null);
    });
  }

  async close(): Promise<void> {
    await this.#ends.end();
    for (const { ends } of this.#seats) await ends.end();
  }
}

function take(seat: Seat, postgres: Postgres): Taken {
  return Object.assign(seat, { postgres, port: postgres.port });
}

function followerOf(primary: Postgres, folder: ServerFolder): Promise<Postgres> {
  return startStandby(primary, folder, { settings: SETTINGS });
}

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    for (;;) writeSync(file, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
