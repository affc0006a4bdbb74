/**
 * Leases: the right to do a job now. Each new holder gets a higher fencing number, and every transaction of the job
 * proves that it still holds the lease, so a process that was paused and comes back late changes nothing.
 */
import { randomUUID } from "node:crypto";
import { type Clock, serviceTime } from "../clock.ts";
import type { Database, Writer } from "../store/database.ts";

/** How long the lease of a dead holder keeps others waiting. */
const LEASE_MS = 3_000;
const NEVER = "1970-01-01T00:00:00.000Z";

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

/** The lease of one job, as one owner sees it. Each instance is an owner of its own. */
export class Lease {
  readonly #context: JobContext;
  readonly #jobName: string;
  readonly #owner = randomUUID();
  #fencingNo = 0;

  constructor(context: JobContext, jobName: string) {
    this.#context = context;
    this.#jobName = jobName;
  }

  /**
   * Takes the lease if it is free, expired or already ours. It also takes a lease that lasts longer than any lease can,
   * because then the clock was set back after it was taken. If its holder is alive after all, the fencing number keeps
   * that holder from writing. Resolves to whether the lease is ours.
   */
  acquire(): Promise<boolean> {
    return this.#context.database.write(async (writer) => {
      const now = this.#context.clock();
      const [row] = await writer.all<{ fencing_no: number }>(
        `INSERT INTO jobs (job_name, lease_owner, lease_until, fencing_no) VALUES ($1, $2, $3, 1)
         ON CONFLICT (job_name) DO UPDATE SET
           fencing_no = jobs.fencing_no + CASE WHEN jobs.lease_owner = excluded.lease_owner THEN 0 ELSE 1 END,
           lease_owner = excluded.lease_owner, lease_until = excluded.lease_until
         WHERE jobs.lease_owner = excluded.lease_owner OR jobs.lease_until <= $4 OR jobs.lease_until > $3
         RETURNING fencing_no`,
        this.#jobName,
        this.#owner,
        serviceTime(now + LEASE_MS),
        serviceTime(now),
      );
      if (row !== undefined) this.#fencingNo = row.fencing_no;
      return row !== undefined;
    });
  }

  /**
   * Proves, inside the caller's transaction, that the lease is still held, and extends it. Throws LeaseLost otherwise.
   */
  async hold(writer: Writer): Promise<void> {
    const changed = await writer.run(
      "UPDATE jobs SET lease_until = $1 WHERE job_name = $2 AND lease_owner = $3 AND fencing_no = $4",
      serviceTime(this.#context.clock() + LEASE_MS),
      this.#jobName,
      this.#owner,
      this.#fencingNo,
    );
    if (changed !== 1) throw new LeaseLost(this.#jobName);
  }

  /** Releases the lease, so that the next process need not wait. */
  async release(): Promise<void> {
    await this.#context.database.write((writer) =>
      writer.run(
        "UPDATE jobs SET lease_until = $1 WHERE job_name = $2 AND lease_owner = $3 AND fencing_no = $4",
        NEVER,
        this.#jobName,
        this.#owner,
        this.#fencingNo,
      ),
    );
  }
}
