/** Archiving in tests: the job's work once, under a new lease, and what it leaves behind. */
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import type { Fault } from "@svc/host/checks";
import { Lease } from "@svc/host/jobs";
import { ArchiveJob, type Archiving } from "../../src/archive/archive-job.ts";
import { strayFiles } from "../../src/archive/stray-files.ts";
import type { Context } from "../../src/context.ts";
import { checkEvidence } from "../../src/fsck/check-evidence.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";

const PROLONG_MS = 500;

/** Does all work of the archive that is due, as its job does, and resolves to whether there was any. */
export async function archive(context: Context, options: Archiving = { days: 0 }): Promise<boolean> {
  const job = new ArchiveJob(context, options);
  if (!(await job.hasWork())) return false;
  const lease = new Lease(context, "archive");
  assert.equal(await lease.acquire(), true);
  const prolonging = setInterval(() => void lease.prolong().catch(() => undefined), PROLONG_MS);
  try {
    await job.work(lease, new AbortController().signal);
  } finally {
    clearInterval(prolonging);
    await lease.release();
  }
  return true;
}

/** Returns the names of all files of the archive, finished or not. */
export function archiveFiles({ folder }: Pick<Context, "folder">): string[] {
  if (!existsSync(folder.archivePath)) return [];
  return readdirSync(folder.archivePath)
    .filter((name) => name !== "folder-id")
    .sort();
}

/** Resolves to the ranges that are archived, and how many events have their payload in the database. */
export async function archivedRanges({ database }: Pick<Context, "database">, streamId: string) {
  return database.read(async (reader) => ({
    ranges: (
      await reader.all<{ from_seq_no: number; to_seq_no: number }>(
        "SELECT from_seq_no, to_seq_no FROM archives WHERE stream_id = $1 ORDER BY to_seq_no",
        streamId,
      )
    ).map(({ from_seq_no, to_seq_no }) => [from_seq_no, to_seq_no]),
    here: (
      await reader.all<{ seq_no: number }>(
        "SELECT seq_no FROM events WHERE stream_id = $1 AND payload IS NOT NULL ORDER BY seq_no",
        streamId,
      )
    ).map(({ seq_no }) => seq_no),
  }));
}

/**
 * Resolves to what fsck finds, but for the streams of the stores' tests, whose ids are invalid in evidence, and for
 * rows that those make without an entry of the audit log.
 */
export async function faultsOf(context: Context): Promise<Fault[]> {
  const { database, kernel, origin, keyedHash, folder, witnessMemory } = context;
  const checked = {
    program: THIN_SERVER,
    database,
    kernel,
    origin,
    keyedHash,
    exportsPath: null,
    archivePath: folder.archivePath,
    witnessMemory,
  };
  const faults: Fault[] = [];
  for await (const fault of checkEvidence(checked)) faults.push(fault);
  faults.push(...(await strayFiles(database, folder.archivePath)).faults);
  return faults.filter(
    ({ row, fault }) => !JSON.stringify(row).includes('"str_bank_') && !fault.startsWith("the audit log does not say"),
  );
}
