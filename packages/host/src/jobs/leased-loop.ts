/**
 * A job that runs in rounds under a lease, at an interval and when woken. A round without work costs one read and no
 * write. The lease is prolonged while a round works, however long its steps take.
 */
import { type JobContext, Lease, LeaseLost, PROLONG_MS } from "./lease.ts";

/** The shortest time between two rounds, however often the loop is woken. */
const MIN_PAUSE_MS = 20;

/** A job: its name in the table `jobs`, the time between its rounds, and its work. */
export interface LeasedJob {
  readonly jobName: string;
  /**
   * The number of parts that processes can do at a time; 1 by default. Each step of a divided job must stand on its
   * own, since its shards can come and go during a round.
   */
  readonly shards?: number;
  readonly intervalMs: number;
  /**
   * Resolves to whether a round would find work. It runs without the lease, so it must only read. `isOwn`: returns
   * whether an object is in a shard of this process; a divided job asks it about each object that has work until one
   * is, since work for other processes does not count.
   */
  readonly hasWork: (isOwn: (object: string) => boolean) => Promise<boolean>;
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
  #woken = false;

  constructor(context: JobContext, job: LeasedJob) {
    this.#job = job;
    this.#lease = new Lease(context, job.jobName, job.shards);
  }

  get name(): string {
    return this.#job.jobName;
  }

  /** Starts the rounds; a second call does nothing. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Asks for a round soon; during a round, for another one after it. */
  wake(): void {
    this.#woken = true;
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
    while (!this.#stop.signal.aborted) {
      // The flag is cleared before the look, so that a wake during the work counts for the next round.
      this.#woken = false;
      try {
        await this.#round();
      } catch (error) {
        if (!(error instanceof LeaseLost)) onError(error);
      }
      await this.#pause(MIN_PAUSE_MS, false);
      await this.#pause(Math.max(0, intervalMs - MIN_PAUSE_MS), true);
    }
    if (this.#lease.isHeld) await this.#lease.release().catch(onError);
  }

  async #round(): Promise<void> {
    const lease = this.#lease;
    let isElsewhere = false;
    const isHere = await this.#job.hasWork((object) => {
      const isOwn = lease.holds(object);
      isElsewhere ||= !isOwn;
      return isOwn;
    });
    // Work in shards of others is a reason to look, now and then, whether they are free or this process gets a part.
    if (!isHere && !(isElsewhere && lease.isDue)) return;
    if (lease.isDue) await lease.acquire();
    if (lease.isHeld) await this.#work();
  }

  /** Works, and prolongs the lease meanwhile. */
  async #work(): Promise<void> {
    const { work, onError } = this.#job;
    let prolonging: Promise<void> | null = null;
    const timer = setInterval(() => {
      prolonging ??= this.#lease
        .prolong()
        .catch(onError)
        .finally(() => {
          prolonging = null;
        });
    }, PROLONG_MS);
    try {
      await work(this.#lease, this.#stop.signal);
    } finally {
      clearInterval(timer);
      await prolonging;
    }
  }

  /** Waits; ends early on stop, and on a wake if `wakeable`. */
  #pause(milliseconds: number, wakeable: boolean): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#wake = () => {};
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      const endEarly = () => {
        if (this.#stop.signal.aborted || (wakeable && this.#woken)) end();
      };
      this.#wake = endEarly;
      endEarly();
    });
  }
}
