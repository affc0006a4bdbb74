/** The row that shows whether the database can be written and read: all SQL about it. */
import type { Reader, Writer } from "@svc/host/store";

/** Writes a row among the jobs that nobody holds. Its number rises, so that each write changes the page. */
export async function countReady(writer: Writer): Promise<void> {
  await writer.run(
    `INSERT INTO jobs (job_name, lease_owner, lease_until, fencing_no) VALUES ('ready', '', '', 1)
     ON CONFLICT (job_name) DO UPDATE SET fencing_no = jobs.fencing_no + 1`,
  );
}

/** Reads it. */
export async function readReady(reader: Reader): Promise<void> {
  await reader.first("SELECT fencing_no FROM jobs WHERE job_name = 'ready'");
}
