/**
 * Leases: who may do a job now. Each new holder gets a higher fencing number, and every transaction of the job proves that it still
 * holds the lease, so a process that was paused and comes back late changes nothing.
 */
import { randomUUID } from "node:crypto";
import { type Clock, serviceTime } from "../clock.ts";
import type { Database, Writer } from "../store/database.ts";

/** How long a holder that has died keeps others waiting. */
const LEASE_MS = 3_000;
const NEVER = "1970-01-01T00:00:00.000Z";

/** What jobs work with. The tables `jobs` and `outbox` come with the migrations of the program. */
export interface JobContext {
  readonly database: Database;
  readonly clock: Clock;
}

export class LeaseLost extends Error {
  constructor(jobName: string) {
    super(`another process has taken over the job ${jobName}`);
    this.name = "LeaseLost";
  }
}

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
   * Takes the lease where it is free, run out, or already ours; or where it runs longer than any lease does, because the clock was set
   * back after it was taken. Should its holder be alive, the fencing number keeps it from writing.
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

  /** Proves, inside the caller's transaction, that the lease is still held, and lengthens it. Throws LeaseLost otherwise. */
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

  /** Gives the lease back, so that the next process need not wait. */
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
