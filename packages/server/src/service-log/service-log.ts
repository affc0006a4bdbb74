/**
 * The job of the service log: it appends new checkpoints, and makes an epoch when the interval since the last one is
 * over. It runs under a lease, on one process at a time, and can be killed between any two of its transactions.
 */
import { type Lease, LeasedLoop } from "@svc/host/jobs";
import type { Reader } from "@svc/host/store";
import type { Context } from "../context.ts";
import { failed } from "../notices.ts";
import { appendQueued, queueEarlier } from "./append-checkpoints.ts";
import { newestEpoch } from "./epochs-store.ts";
import { logSize } from "./leaves-store.ts";
import { logState } from "./log-store.ts";
import { askUnasked, makeEpoch, unaskedWitnesses } from "./make-epoch.ts";
import { firstUnlogged } from "./queue-store.ts";
import { serviceLogSettings } from "./settings.ts";

/** A checkpoint waits so long for its place in the log, at most. */
const MAX_ROUND_MS = 1000;

/** Returns the job. It publishes its errors, and tries again in its next round. */
export function createServiceLog(context: Context): LeasedLoop {
  const { epochIntervalMs } = context.settings(serviceLogSettings);
  const job = new ServiceLogJob(context, epochIntervalMs);
  return new LeasedLoop(context, {
    jobName: "service-log",
    intervalMs: Math.min(MAX_ROUND_MS, epochIntervalMs),
    onError: (error) => context.channel.publish(failed, error),
    hasWork: () => job.hasWork(),
    work: (lease, stop) => job.work(lease, stop),
  });
}

/** Keeps the service log of a deployment. */
export class ServiceLogJob {
  readonly #context: Context;
  readonly #epochIntervalMs: number;
  /** The newest epoch that this process has met, and when it first did, by a clock that never goes back. */
  #met = { epochNo: 0, atMs: Number.NEGATIVE_INFINITY };
  /** Whether all witnesses have been asked about the epoch that was there at the start. */
  #hasAsked = false;

  constructor(context: Context, epochIntervalMs: number) {
    this.#context = context;
    this.#epochIntervalMs = epochIntervalMs;
  }

  /** Resolves to whether there is a checkpoint to append, or an epoch to make. */
  hasWork(): Promise<boolean> {
    return this.#context.database.read(
      async (reader) =>
        (await logState(reader)).queuedTo !== null ||
        (await firstUnlogged(reader, 1)).length > 0 ||
        (await this.#isEpochDue(reader)) ||
        (await this.#isAnyUnasked(reader)),
    );
  }

  /** Does everything that is due. It ends between two transactions on `stop`. */
  async work(lease: Lease, stop: AbortSignal): Promise<void> {
    const { database } = this.#context;
    if (await database.read((reader) => this.#isAnyUnasked(reader))) await askUnasked(this.#context, lease);
    await queueEarlier(this.#context, lease, stop);
    for (let hasAppended = true; hasAppended && !stop.aborted; ) {
      hasAppended = await appendQueued(this.#context, lease);
      // While much is to be appended, epochs are made meanwhile.
      if (await database.read((reader) => this.#isEpochDue(reader))) await makeEpoch(this.#context, lease);
    }
  }

  async #isAnyUnasked(reader: Reader): Promise<boolean> {
    // A process that makes an epoch asks all of them.
    if (!this.#hasAsked) this.#hasAsked = (await unaskedWitnesses(this.#context, reader)).length === 0;
    return !this.#hasAsked;
  }

  async #isEpochDue(reader: Reader): Promise<boolean> {
    const newest = await newestEpoch(reader);
    this.#meet(newest?.epoch_no ?? 0);
    if ((await logSize(reader)) <= (newest?.log_size ?? 0)) return false;
    if ((await logState(reader)).closedAt !== null) return false;
    if (newest === null) return true;
    const ageMs = this.#context.clock() - Date.parse(newest.anchored_at);
    // The clock was set back: until it is where it was, the time since this process met the epoch counts.
    return (ageMs < 0 ? performance.now() - this.#met.atMs : ageMs) >= this.#epochIntervalMs;
  }

  /** Throws Error for a database that has lost an epoch under this process. */
  #meet(epochNo: number): void {
    if (epochNo < this.#met.epochNo)
      throw new Error(
        `the database has lost epoch ${this.#met.epochNo} of the service log, and its newest is ${epochNo}: no ` +
          `epoch is made. Bring the server back that has it`,
      );
    if (epochNo > this.#met.epochNo) this.#met = { epochNo, atMs: performance.now() };
  }
}
