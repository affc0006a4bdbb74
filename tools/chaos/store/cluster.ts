/**
 * A PostgreSQL primary and its synchronous standby, which take turns in two seats: when the standby is promoted, the
 * old primary is thrown away, and a new standby takes its seat. Each server under trial reaches both seats by proxies
 * of its own. Where small disks can be mounted, each seat stands on one.
 */
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { startProxy, type Proxy as UnreliableNetwork } from "@svc/testkit/network";
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

export class Cluster {
  readonly #seats: readonly [Taken, Taken];
  readonly #ways: readonly (readonly [UnreliableNetwork, UnreliableNetwork])[];
  readonly #ends: Ends;
  /** The seat of the primary. */
  #first: 0 | 1 = 0;

  private constructor(
    seats: readonly [Taken, Taken],
    ways: readonly (readonly [UnreliableNetwork, UnreliableNetwork])[],
    ends: Ends,
  ) {
    this.#seats = seats;
    this.#ways = ways;
    this.#ends = ends;
  }

  /** Starts both, and so many pairs of proxies. */
  static async make(parents: SeatFolders, ways: number): Promise<Cluster> {
    const ends = new Ends();
    const [one, other] = parents.map((parent) => ({ host: "127.0.0.1", port: 0, ends: new Ends(), parent })) as [
      Seat,
      Seat,
    ];
    const folder = serverFolder(one.ends, one.parent);
    const password = await makeDataFolder(join(folder.path, "data"));
    const primary = take(one, await serve(folder, password, SETTINGS));
    const standby = take(other, await followerOf(primary.postgres, serverFolder(other.ends, other.parent)));
    const proxies: (readonly [UnreliableNetwork, UnreliableNetwork])[] = [];
    for (let way = 0; way < ways; way++)
      proxies.push([await startProxy(ends, primary), await startProxy(ends, standby)]);
    return new Cluster([primary, standby], proxies, ends);
  }

  get #primary(): Taken {
    return this.#seats[this.#first];
  }

  /** The primary, as its administrator sees it. */
  get primary(): Postgres {
    return this.#primary.postgres;
  }

  /** Returns the URL by which one of the servers under trial reaches a database. */
  url(way: number, database: string): string {
    const hosts = this.#ways[way]?.map(({ host, port }) => `${host}:${port}`).join(",");
    return this.primary.url(database).replace(/@[^/]*/, `@${hosts}`);
  }

  /** Returns a server's proxy to the primary. */
  way(way: number): UnreliableNetwork {
    const proxy = this.#ways[way]?.[this.#first];
    if (proxy === undefined) throw new RangeError(`there is no way ${way}`);
    return proxy;
  }

  /**
   * Promotes the standby, throws the old primary away, and starts a new standby. `isFenced`: whether the old primary is
   * stopped before, and not after.
   */
  async failOver(isFenced: boolean): Promise<void> {
    const old = this.#primary;
    const next = this.#seats[this.#first === 0 ? 1 : 0];
    if (isFenced) await old.postgres.stop("immediate");
    await promote(next.postgres);
    await old.ends.end();
    this.#first = this.#first === 0 ? 1 : 0;
    take(old, await followerOf(next.postgres, serverFolder(old.ends, old.parent)));
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
