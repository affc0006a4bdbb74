/**
 * The table `jobs`: who may do what now. All SQL about leases is here. Every change compares the row with what was
 * read, so that none depends on rows that others have changed meanwhile.
 */
import type { Reader, Writer } from "../store/database.ts";

/** The end of a lease that was given back. */
export const GIVEN_BACK = "1970-01-01T00:00:00.000Z";

/**
 * A row: the lease of a job or of one of its shards, or the announcement of a process that shares a divided job. The
 * shards of a process last as long as its announcement.
 */
export interface JobRow {
  readonly job_name: string;
  readonly lease_owner: string;
  /** A service time. */
  readonly lease_until: string;
  /** It rises with every new owner. */
  readonly fencing_no: number;
}

const COLUMNS = "job_name, lease_owner, lease_until, fencing_no";

/** Returns the names of a job's leases, one for each shard. */
export function leaseNames(jobName: string, shards: number): readonly string[] {
  return shards === 1 ? [jobName] : Array.from({ length: shards }, (_, shard) => `${jobName}/${shard}`);
}

/** Returns the name under which an owner announces itself. */
export function announcementName(jobName: string, owner: string): string {
  return `${jobName}@${owner}`;
}

/** Resolves to the row of a job that is not divided; to none if nobody has ever done it. */
export function rowsOfOne(reader: Reader, jobName: string): Promise<JobRow[]> {
  return reader.all<JobRow>(`SELECT ${COLUMNS} FROM jobs WHERE job_name = $1`, jobName);
}

/** Resolves to the rows of a divided job: of its shards, and of the processes that share them. */
export function rowsOfShards(reader: Reader, jobName: string): Promise<JobRow[]> {
  return reader.all<JobRow>(
    `SELECT ${COLUMNS} FROM jobs WHERE job_name LIKE $1 OR job_name LIKE $2`,
    `${jobName}/%`,
    `${jobName}@%`,
  );
}

/** Writes a lease over `old`, the one that was read, or null. Resolves to false if the row has changed meanwhile. */
export async function putLease(writer: Writer, lease: JobRow, old: JobRow | null): Promise<boolean> {
  const changed = await writer.run(
    `INSERT INTO jobs (${COLUMNS}) VALUES ($1, $2, $3, $4)
     ON CONFLICT (job_name) DO UPDATE SET
       lease_owner = excluded.lease_owner, lease_until = excluded.lease_until, fencing_no = excluded.fencing_no
     WHERE jobs.lease_owner = $5 AND jobs.lease_until = $6 AND jobs.fencing_no = $7`,
    lease.job_name,
    lease.lease_owner,
    lease.lease_until,
    lease.fencing_no,
    old?.lease_owner ?? "",
    old?.lease_until ?? "",
    old?.fencing_no ?? 0,
  );
  return changed === 1;
}

/** Gives a lease back, unless another has it. */
export async function giveBack(writer: Writer, lease: Omit<JobRow, "lease_until">): Promise<void> {
  await writer.run(
    "UPDATE jobs SET lease_until = $1 WHERE job_name = $2 AND lease_owner = $3 AND fencing_no = $4",
    GIVEN_BACK,
    lease.job_name,
    lease.lease_owner,
    lease.fencing_no,
  );
}

/**
 * Resolves to whether an owner has a lease under this number, and keeps others from taking it until this transaction
 * ends. Several transactions can do so at a time.
 */
export async function storedLease(writer: Writer, lease: Omit<JobRow, "lease_until">): Promise<boolean> {
  const row = await writer.first(
    `SELECT fencing_no FROM jobs WHERE job_name = $1 AND lease_owner = $2 AND fencing_no = $3
     ${writer.locking("jobs", "share")}`,
    lease.job_name,
    lease.lease_owner,
    lease.fencing_no,
  );
  return row !== null;
}

/** Announces a process, or extends its announcement. */
export async function announce(writer: Writer, name: string, owner: string, until: string): Promise<void> {
  await writer.run(
    `INSERT INTO jobs (${COLUMNS}) VALUES ($1, $2, $3, 0)
     ON CONFLICT (job_name) DO UPDATE SET lease_until = excluded.lease_until`,
    name,
    owner,
    until,
  );
}

/** Removes the announcement of a process, unless it was extended meanwhile. */
export async function removeAnnouncement(
  writer: Writer,
  { job_name, lease_until }: Pick<JobRow, "job_name" | "lease_until">,
): Promise<void> {
  await writer.run("DELETE FROM jobs WHERE job_name = $1 AND lease_until = $2", job_name, lease_until);
}
