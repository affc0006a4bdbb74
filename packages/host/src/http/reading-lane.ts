/**
 * Bounds the share of the answering thread that reading gets while events are being recorded: the time that recording
 * leaves idle, and always a small share. Reads beyond that wait, and askers take turns, so that readers without pause
 * slow down each other and no recording.
 */

import { performance } from "node:perf_hooks";
import { setImmediate as nextTurn, setTimeout } from "node:timers/promises";
import { FairQueue } from "../threads/fair-queue.ts";
import { requireTurn } from "./require-turn.ts";

/** The share of the thread that reading always has. */
const LEAST_SHARE = 0.1;
/** The share that stays idle, so that a new event is recorded at once. */
const RESERVE = 0.1;
/** The interval at which the shares are adjusted. */
const LOOK_MS = 50;
/** The time that reading may use at once after a pause. */
const BURST_MS = 10;
/** The time of the thread that a request takes before and after its own work, to be received and answered. */
const AROUND_MS = 0.15;

/** The lane's view of its surroundings; tests hold them still. */
export interface LaneSurroundings {
  /** Returns whether events are being recorded. */
  readonly isRecording: () => boolean;
  /** Returns milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** Returns the share of the thread, 0 to 1, that was in use since the last call. */
  readonly utilization?: () => number;
  /** Resolves after a number of milliseconds. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/** The queue of reads of one thread. */
export class ReadingLane {
  readonly #isRecording: () => boolean;
  readonly #now: () => number;
  readonly #utilization: () => number;
  readonly #pause: (milliseconds: number) => Promise<unknown>;
  readonly #waiting = new FairQueue<() => Promise<void>>();
  #isServing = false;
  /** Milliseconds that reading may use now; negative if it used too many. */
  #credit = BURST_MS;
  #share = 1;
  #usedMs = 0;
  #filledAt: number;
  #lookedAt: number;

  constructor({
    isRecording,
    now = () => performance.now(),
    utilization = loopUtilization(),
    pause = setTimeout,
  }: LaneSurroundings) {
    this.#isRecording = isRecording;
    this.#pause = pause;
    this.#now = now;
    this.#utilization = utilization;
    this.#filledAt = now();
    this.#lookedAt = now();
  }

  /**
   * Runs `work` in the asker's turn, and resolves to its result. `isWanted` is called when the turn comes; if it
   * returns false, the work is dropped and the promise rejects with Error. Rejects with `rate_limited` if too many
   * reads of the asker wait.
   */
  async run<Value>(
    asker: string,
    work: () => Promise<Value> | Value,
    isWanted: () => boolean = () => true,
  ): Promise<Value> {
    requireTurn(this.#waiting, asker);
    return new Promise((resolve, reject) => {
      this.#waiting.push(asker, async () => {
        if (!isWanted()) {
          reject(new Error("nobody waits for the answer any more"));
          return;
        }
        const startedAt = this.#now();
        const value = new Promise<Value>((settle) => settle(work()));
        value.then(resolve, reject);
        // An embedded database answers within this turn of the event loop; work in another thread takes none of this
        // one's time.
        await Promise.race([value.catch(() => undefined), nextTurn()]);
        const used = this.#now() - startedAt + AROUND_MS;
        this.#credit -= used;
        this.#usedMs += used;
      });
      void this.#serve();
    });
  }

  /** Runs the waiting reads, one after another, as long as there is credit. */
  async #serve(): Promise<void> {
    if (this.#isServing) return;
    this.#isServing = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      while (!this.#mayGo()) await this.#pause(Math.min(LOOK_MS, Math.ceil(-this.#credit / this.#share) + 1));
      await next();
    }
    this.#isServing = false;
  }

  #mayGo(): boolean {
    const now = this.#now();
    if (now - this.#lookedAt >= LOOK_MS) this.#look(now);
    this.#credit = Math.min(BURST_MS, this.#credit + (now - this.#filledAt) * this.#share);
    this.#filledAt = now;
    return this.#credit >= 0 || !this.#isRecording();
  }

  /**
   * Gives reading the time that it used plus the idle time, except the reserve; if the reserve itself was in use,
   * halves the share.
   */
  #look(now: number): void {
    const used = this.#usedMs / (now - this.#lookedAt);
    const idle = 1 - this.#utilization();
    const share = idle > RESERVE ? used + idle - RESERVE : this.#share / 2;
    this.#share = Math.min(1, Math.max(LEAST_SHARE, share));
    this.#usedMs = 0;
    this.#lookedAt = now;
  }
}

/** Returns a function that returns the utilization of this thread's event loop since its last call. */
function loopUtilization(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const before = last;
    last = performance.eventLoopUtilization();
    return performance.eventLoopUtilization(last, before).utilization;
  };
}
