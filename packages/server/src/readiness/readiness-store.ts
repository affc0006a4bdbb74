/** What is written to see that something can be written: all SQL about it. */
import type { Writer } from "@svc/host/store";

/** A row among the jobs, which nobody holds; its number rises, so that the page is another each time. */
export async function countReady(writer: Writer): Promise<void> {
  await writer.run(
    `INSERT INTO jobs (job_name, lease_owner, lease_until, fencing_no) VALUES ('ready', '', '', 1)
     ON CONFLICT (job_name) DO UPDATE SET fencing_no = jobs.fencing_no + 1`,
  );
}
