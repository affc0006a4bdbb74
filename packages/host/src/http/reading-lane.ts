/**
 * How much of the thread that answers may go to reading while events are being recorded: what recording leaves idle, and a small share in any case.
 * Who asks more than that waits, each asker for its turn, so that readers without pause slow down each other and nobody who records.
 */

import { performance } from "node:perf_hooks";
import { setImmediate as nextTurn, setTimeout } from "node:timers/promises";
import { FairQueue } from "../threads/fair-queue.ts";
import { requireTurn } from "./require-turn.ts";

/** The share of the thread that reading has in any case. */
const LEAST_SHARE = 0.1;
/** The share that stays idle, so that what is to be recorded is taken in hand at once. */
const RESERVE = 0.1;
/** How often the shares are looked at. */
const LOOK_MS = 50;
/** What may be used at once after a pause. */
const BURST_MS = 10;
/** What a request takes of the thread before and after its own work, to be received and answered. */
const AROUND_MS = 0.15;

/** What the lane asks of its surroundings; tests hold them still. */
export interface LaneSurroundings {
  /** Whether events are being recorded. */
  readonly isRecording: () => boolean;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** The share of the thread, 0 to 1, that was in use since the last call. */
  readonly utilization?: () => number;
  /** Resolves after so many milliseconds. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

export class ReadingLane {
  readonly #isRecording: () => boolean;
  readonly #now: () => number;
  readonly #utilization: () => number;
  readonly #pause: (milliseconds: number) => Promise<unknown>;
  readonly #waiting = new FairQueue<() => Promise<void>>();
  #isServing = false;
  /** Milliseconds that may be used now; less than none where too many were. */
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

  /** Runs `work` when it is the asker's turn, if it is still wanted then. Throws `rate_limited` where too much of the asker's waits. */
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
        // What an embedded database answers is there within this turn of the event loop; what another thread does takes nothing of this one.
        await Promise.race([value.catch(() => undefined), nextTurn()]);
        const used = this.#now() - startedAt + AROUND_MS;
        this.#credit -= used;
        this.#usedMs += used;
      });
      void this.#serve();
    });
  }

  /** Runs what waits, one after another, as far as there is credit. */
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

  /** Gives reading what was idle beside what it has used, but for the reserve; half of what it had where that was not idle. */
  #look(now: number): void {
    const used = this.#usedMs / (now - this.#lookedAt);
    const idle = 1 - this.#utilization();
    const share = idle > RESERVE ? used + idle - RESERVE : this.#share / 2;
    this.#share = Math.min(1, Math.max(LEAST_SHARE, share));
    this.#usedMs = 0;
    this.#lookedAt = now;
  }
}

/** The utilization of this thread's event loop between two calls. */
function loopUtilization(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const before = last;
    last = performance.eventLoopUtilization();
    return performance.eventLoopUtilization(last, before).utilization;
  };
}
