/**
 * A job that runs in rounds, at an interval and when nudged, under a lease. A round without work costs one read and no write.
 */
import { type JobContext, Lease, LeaseLost } from "./lease.ts";

/** Rounds are at least this far apart, however often the loop is nudged. */
const MIN_PAUSE_MS = 20;

export interface LeasedJob {
  readonly jobName: string;
  readonly intervalMs: number;
  readonly hasWork: () => Promise<boolean>;
  /** Does what is due; looks at `stop` between transactions. */
  readonly work: (lease: Lease, stop: AbortSignal) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export class LeasedLoop {
  readonly #job: LeasedJob;
  readonly #lease: Lease;
  readonly #stop = new AbortController();
  #running: Promise<void> | null = null;
  #wake: () => void = () => {};
  #nudged = false;

  constructor(context: JobContext, job: LeasedJob) {
    this.#job = job;
    this.#lease = new Lease(context, job.jobName);
  }

  get name(): string {
    return this.#job.jobName;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Asks for a round soon. */
  nudge(): void {
    this.#nudged = true;
    this.#wake();
  }

  /** Finishes the transaction at hand, gives the lease back and ends. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { intervalMs, onError } = this.#job;
    let holds = false;
    while (!this.#stop.signal.aborted) {
      // Cleared before the look, so that a nudge during the work counts for the next round.
      this.#nudged = false;
      try {
        if (await this.#job.hasWork()) {
          holds = await this.#lease.acquire();
          if (holds) await this.#job.work(this.#lease, this.#stop.signal);
        }
      } catch (error) {
        if (error instanceof LeaseLost) holds = false;
        else onError(error);
      }
      await this.#pause(MIN_PAUSE_MS, false);
      await this.#pause(Math.max(0, intervalMs - MIN_PAUSE_MS), true);
    }
    if (holds) await this.#lease.release().catch(onError);
  }

  /** Waits; ends early on stop, and on a nudge where `nudgeable`. */
  #pause(milliseconds: number, nudgeable: boolean): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#wake = () => {};
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      const endEarly = () => {
        if (this.#stop.signal.aborted || (nudgeable && this.#nudged)) end();
      };
      this.#wake = endEarly;
      endEarly();
    });
  }
}
