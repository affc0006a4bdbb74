/**
 * Leases: the right to do a job now. Each new holder gets a higher fencing number, and every transaction of the job
 * proves that it still holds the lease, so a process that was paused and comes back late changes nothing.
 *
 * A job can be divided into shards, so that several processes do it at a time, each for its own objects. They announce
 * themselves, and each takes an even part of the shards; where one more appears, the others give some back.
 */
import { randomUUID } from "node:crypto";
import { type Clock, serviceTime } from "../clock.ts";
import type { Database, Writer } from "../store/database.ts";
import {
  announce,
  announcementName,
  GIVEN_BACK,
  giveBack,
  type JobRow,
  leaseNames,
  putLease,
  removeAnnouncement,
  rowsOfOne,
  rowsOfShards,
  storedLease,
} from "./jobs-store.ts";
import { partOf, shardOf } from "./shares.ts";

/** How long the lease of a dead holder keeps others waiting. */
const LEASE_MS = 3_000;
/** How often a lease is prolonged while its holder works. */
export const PROLONG_MS = 1_000;

/** The capabilities that jobs need. The program's migrations make the tables `jobs` and `outbox`. */
export interface JobContext {
  readonly database: Database;
  readonly clock: Clock;
}

/** Another process holds the lease now; the transaction that finds this is undone. */
export class LeaseLost extends Error {
  constructor(jobName: string) {
    super(`another process has taken over the job ${jobName}`);
    this.name = "LeaseLost";
  }
}

/** The rows of a job as an owner found them, at the database's time. */
interface Found {
  readonly now: number;
  /** The row of each shard; null for a shard without one. */
  readonly shards: ReadonlyMap<string, JobRow | null>;
  /** The announcements of all processes. */
  readonly announced: readonly JobRow[];
}

/** The lease of one job, as one owner sees it. Each instance is a separate owner. */
export class Lease {
  readonly #context: JobContext;
  readonly #jobName: string;
  readonly #names: readonly string[];
  readonly #owner = randomUUID();
  /** The fencing number of each lease that this owner has, by its name. */
  #held: ReadonlyMap<string, number> = new Map();
  /** When the leases were last taken or prolonged, by this process's own clock; null if they never were. */
  #keptAt: number | null = null;
  /** How long after that another look for shards is due. */
  #lookAfterMs = 0;

  /** `shards`: the number of parts into which the job is divided; all processes must name the same. */
  constructor(context: JobContext, jobName: string, shards = 1) {
    this.#context = context;
    this.#jobName = jobName;
    this.#names = leaseNames(jobName, shards);
  }

  /** Whether the lease, or a shard of it, was this owner's when it last looked. */
  get isHeld(): boolean {
    return this.#held.size > 0;
  }

  /**
   * Whether it is time to take free shards and to give surplus ones back. A lease of one shard is taken for each round.
   */
  get isDue(): boolean {
    const age = this.#age();
    return !this.#isDivided || age === null || age >= this.#lookAfterMs;
  }

  /**
   * Takes the lease if it is free, expired or already ours; with shards, an even part of them. It also takes a lease
   * that lasts longer than any lease can, because then the clock was set back after it was taken. If its holder is
   * alive after all, the fencing number keeps that holder from writing. Resolves to whether the lease, or any shard of
   * it, is ours.
   */
  async acquire(): Promise<boolean> {
    await this.#settle({ mayTake: true });
    return this.isHeld;
  }

  /**
   * Prolongs what this owner holds. A lease that was lost is not taken again, so that work that was begun under one
   * number never goes on under another. In a divided job, whose steps stand each on its own, it gives back and takes
   * shards like `acquire`.
   */
  prolong(): Promise<void> {
    return this.#settle({ mayTake: this.#isDivided });
  }

  /**
   * Returns whether an object is in a shard of this owner, as far as it knows without asking the database. With one
   * shard there is nothing to choose: it returns true, and `hold` tells.
   */
  holds(object: string): boolean {
    if (!this.#isDivided) return true;
    const age = this.#age();
    return age !== null && age < LEASE_MS && this.#held.has(this.#nameOf(object));
  }

  /**
   * Proves, inside the caller's transaction, that the lease is still held, and keeps others from taking it until the
   * transaction ends. It must come before all that depends on the lease. `object`: whose shard it is about. Throws
   * LeaseLost otherwise.
   */
  async hold(writer: Writer, object?: string): Promise<void> {
    const name = this.#nameOf(object);
    const fencingNo = this.#held.get(name);
    if (fencingNo !== undefined) {
      if (await storedLease(writer, { job_name: name, lease_owner: this.#owner, fencing_no: fencingNo })) return;
      this.#held = new Map([...this.#held].filter(([held]) => held !== name));
      this.#lookAfterMs = 0;
    }
    throw new LeaseLost(name);
  }

  /** Gives everything back, so that the next process need not wait. */
  async release(): Promise<void> {
    const [held, owner] = [this.#held, this.#owner];
    await this.#context.database.write(
      async (writer) => {
        for (const [job_name, fencing_no] of held) await giveBack(writer, { job_name, lease_owner: owner, fencing_no });
        if (!this.#isDivided) return;
        const name = announcementName(this.#jobName, owner);
        const own = (await rowsOfOne(writer, name))[0];
        if (own !== undefined) await removeAnnouncement(writer, own);
      },
      { isLocking: true },
    );
    this.#held = new Map();
    this.#keptAt = null;
  }

  get #isDivided(): boolean {
    return this.#names.length > 1;
  }

  /** Returns the time since the leases were kept, by this process's clock; null without one, or if it went back. */
  #age(): number | null {
    const age = this.#keptAt === null ? -1 : this.#context.clock() - this.#keptAt;
    return age < 0 ? null : age;
  }

  #nameOf(object: string | undefined): string {
    if (this.#isDivided && object === undefined)
      throw new TypeError(`the job ${this.#jobName} is divided: say for which object its lease is held`);
    const name = this.#names[shardOf(object ?? "", this.#names.length)];
    if (name === undefined) throw new RangeError("a shard has no name");
    return name;
  }

  async #settle(how: { readonly mayTake: boolean }): Promise<void> {
    const { database, clock } = this.#context;
    const keptAt = clock();
    const { held, lookAfterMs } = await database.write((writer) => this.#settleIn(writer, how), { isLocking: true });
    this.#held = held;
    this.#keptAt = keptAt;
    this.#lookAfterMs = lookAfterMs;
  }

  async #settleIn(writer: Writer, { mayTake }: { readonly mayTake: boolean }) {
    const owner = this.#owner;
    const found = await this.#find(writer);
    const until = serviceTime(found.now + LEASE_MS);
    const runs = ({ lease_until }: JobRow) => lease_until > serviceTime(found.now) && lease_until <= until;
    const others = found.announced.filter(({ lease_owner }) => lease_owner !== owner);
    const living = new Set([owner, ...others.filter(runs).map(({ lease_owner }) => lease_owner)]);
    const isTaken = (row: JobRow) =>
      row.lease_until !== GIVEN_BACK && (this.#isDivided ? living.has(row.lease_owner) : runs(row));

    const [own, free]: [JobRow[], string[]] = [[], []];
    for (const [name, row] of found.shards)
      if (row?.lease_owner === owner && row.lease_until !== GIVEN_BACK) own.push(row);
      else if (row === null || !isTaken(row)) free.push(name);
    const { most, first } = partOf(owner, [...living], found.shards.size);
    const kept = own.slice(0, most);
    const held = new Map<string, number>();
    const put = async (name: string) => {
      const old = found.shards.get(name) ?? null;
      const fencing_no = (old?.fencing_no ?? 0) + (old?.lease_owner === owner ? 0 : 1);
      const lease = { job_name: name, lease_owner: owner, lease_until: until, fencing_no };
      if (await putLease(writer, lease, old)) held.set(name, fencing_no);
    };

    // All processes change rows in the same order, so that no two wait for each other.
    const changes = new Map<string, () => Promise<void>>();
    for (const row of own.slice(most)) changes.set(row.job_name, () => giveBack(writer, row));
    // Two processes that look at the same time begin at different shards.
    const wanted = [...free.filter((name) => this.#names.indexOf(name) >= first), ...free];
    for (const name of mayTake ? [...new Set(wanted)].slice(0, most - kept.length) : [])
      changes.set(name, () => put(name));
    if (this.#isDivided) {
      // A shard lasts as long as its owner's announcement, so its row stays free for the transactions that lock it.
      for (const { job_name, fencing_no } of kept) held.set(job_name, fencing_no);
      const name = announcementName(this.#jobName, owner);
      changes.set(name, () => announce(writer, name, owner, until));
      for (const row of others) if (!runs(row)) changes.set(row.job_name, () => removeAnnouncement(writer, row));
    } else for (const { job_name } of kept) changes.set(job_name, () => put(job_name));
    for (const [, change] of [...changes].toSorted(([one], [other]) => (one < other ? -1 : 1))) await change();

    const ends = others.filter(runs).map(({ lease_until }) => Date.parse(lease_until) - found.now);
    return { held, lookAfterMs: Math.min(PROLONG_MS, ...ends) };
  }

  async #find(writer: Writer): Promise<Found> {
    const rows = new Map<string, JobRow>();
    const asked = this.#isDivided ? rowsOfShards(writer, this.#jobName) : rowsOfOne(writer, this.#jobName);
    for (const row of await asked) rows.set(row.job_name, row);
    // The time is asked for after the rows: a lease that was prolonged in between would seem to last too long.
    const now = await writer.now(this.#context.clock);
    const shards = new Map(this.#names.map((name) => [name, rows.get(name) ?? null]));
    return { now, shards, announced: [...rows.values()].filter(({ job_name }) => job_name.includes("@")) };
  }
}
