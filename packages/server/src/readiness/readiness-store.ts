/**
 * The row that shows whether the database can be written and read, and what an append and a reader need beside it: all
 * SQL about them. A server refuses a statement for a lost right even if it touches no row.
 */
import { type Reader, together, type Writer } from "@svc/host/store";

/** Writes a row among the jobs that nobody holds. Its number rises, so that each write changes the page. */
export async function countReady(writer: Writer): Promise<void> {
  await writer.run(
    `INSERT INTO jobs (job_name, lease_owner, lease_until, fencing_no) VALUES ('ready', '', '', 1)
     ON CONFLICT (job_name) DO UPDATE SET fencing_no = jobs.fencing_no + 1`,
  );
}

/** Writes nothing into the tables that an append writes: no stream and no request has an empty name. */
export async function appendNothing(writer: Writer): Promise<void> {
  await together([
    writer.run("UPDATE streams SET head_seq_no = head_seq_no WHERE stream_id = ''"),
    writer.run("INSERT INTO events SELECT * FROM events WHERE stream_id = ''"),
    writer.run("INSERT INTO idempotency_records SELECT * FROM idempotency_records WHERE scope_hash = ''"),
  ]);
}

/** Reads the row, and no evidence. */
export async function readReady(reader: Reader): Promise<void> {
  await together([
    reader.first("SELECT fencing_no FROM jobs WHERE job_name = 'ready'"),
    reader.first(
      `SELECT 1 FROM streams s JOIN events e ON e.stream_id = s.stream_id JOIN windows w ON w.stream_id = s.stream_id
       JOIN checkpoints c ON c.stream_id = s.stream_id WHERE s.stream_id = '' AND e.stream_id = '' AND w.stream_id = ''
         AND c.stream_id = ''`,
    ),
  ]);
}
