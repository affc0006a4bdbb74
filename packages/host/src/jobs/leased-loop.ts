/**
 * A job that runs in rounds under a lease, at an interval and when nudged. A round without work costs one read and no
 * write.
 */
import { type JobContext, Lease, LeaseLost } from "./lease.ts";

/** The shortest time between two rounds, however often the loop is nudged. */
const MIN_PAUSE_MS = 20;

/** A job: its name in the table `jobs`, the time between its rounds, and its work. */
export interface LeasedJob {
  readonly jobName: string;
  readonly intervalMs: number;
  /** Resolves to whether a round would find work. It runs without the lease, so it must only read. */
  readonly hasWork: () => Promise<boolean>;
  /** Does the work that is due. It looks at `stop` between transactions, and proves the lease in each. */
  readonly work: (lease: Lease, stop: AbortSignal) => Promise<void>;
  /** Called with each error of a round other than LeaseLost; the loop continues. */
  readonly onError: (error: unknown) => void;
}

/** Runs a job until it is stopped. */
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

  /** Starts the rounds; a second call does nothing. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Asks for a round soon; during a round, for another one after it. */
  nudge(): void {
    this.#nudged = true;
    this.#wake();
  }

  /** Finishes the transaction at hand, releases the lease and ends the rounds. Resolves when that is done. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { intervalMs, onError } = this.#job;
    let holds = false;
    while (!this.#stop.signal.aborted) {
      // The flag is cleared before the look, so that a nudge during the work counts for the next round.
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

  /** Waits; ends early on stop, and on a nudge if `nudgeable`. */
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
