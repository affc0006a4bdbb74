/**
 * The job behind exports: it builds the requested packages, one at a time under a lease, ends expired ones, and removes
 * files. It can be killed at any moment: an interrupted build is repeated with the evidence that was chosen for it, and
 * its files are swept away.
 */
import { MAX_EXPORT_WAIT_SECONDS, MAX_SEAL_WAIT_MS } from "@svc/api/limits";
import { serviceTime } from "@svc/host/clock";
import { type Lease, LeasedLoop } from "@svc/host/jobs";
import type { Reader } from "@svc/host/store";
import type { Context } from "../context.ts";
import { MAX_EXPORT_BUILDS } from "../limits.ts";
import { failed } from "../notices.ts";
import { awaitsAnchor } from "../packs/anchor-demand.ts";
import { openCheckpointOver } from "../packs/collect-evidence.ts";
import { firstWitnessedOver } from "../sealing/checkpoints-store.ts";
import { recorded } from "../streams/recorded.ts";
import { findStream } from "../streams/streams-store.ts";
import { recordAccess } from "../tenancy/access-log-store.ts";
import { anyTicketBefore, removeTicketsBefore } from "./accesses-store.ts";
import { BuildExport, failureOf } from "./build-export.ts";
import { built } from "./built.ts";
import { deleteExport, loseExport, serviceOf } from "./delete-export.ts";
import {
  type ExportRow,
  expiredExports,
  exportsAtWork,
  exportsWithFiles,
  type FailureCode,
  markExportFailed,
  markFileRemoved,
  rangesOf,
  readyExports,
} from "./exports-store.ts";
import type { PackageFiles } from "./package-files.ts";

const INTERVAL_MS = 250;
/** Rows in one transaction. */
const PORTION = 100;

/** Returns the job that builds exports. */
export function createExportBuilding(context: Context, files: PackageFiles): LeasedLoop {
  const job = new ExportJob(context, files);
  return new LeasedLoop(context, {
    jobName: "exports",
    intervalMs: INTERVAL_MS,
    onError: (error) => context.channel.publish(failed, error),
    hasWork: () => job.hasWork(),
    work: (lease, stop) => job.work(lease, stop),
  });
}

/** An export whose turn it is: to be built, or to be given up because its evidence is overdue. */
type Due = { readonly row: ExportRow; readonly isOverdue: boolean };

class ExportJob {
  readonly #context: Context;
  readonly #files: PackageFiles;
  #isSwept = false;

  constructor(context: Context, files: PackageFiles) {
    this.#context = context;
    this.#files = files;
  }

  hasWork(): Promise<boolean> {
    return this.#context.database.read(async (reader) => {
      if (!this.#isSwept || (await this.#due(reader)) !== null) return true;
      const now = this.#now();
      return (
        (await expiredExports(reader, now, 1)).length > 0 ||
        (await exportsWithFiles(reader, 1)).length > 0 ||
        (await anyTicketBefore(reader, now))
      );
    });
  }

  async work(lease: Lease, stop: AbortSignal): Promise<void> {
    if (!this.#isSwept) await this.#sweep(lease);
    await this.#tidy(lease);
    const due = await this.#context.database.read((reader) => this.#due(reader));
    if (due === null || stop.aborted) return;
    if (due.isOverdue) await this.#fail(lease, due.row, "evidence_missing");
    else await this.#build(lease, stop, due.row);
  }

  /**
   * Resolves to the oldest export whose evidence is complete, or as complete as its policies ask for, or overdue; null
   * without such an export.
   */
  async #due(reader: Reader): Promise<Due | null> {
    const now = this.#context.clock();
    const deadline = serviceTime(now - MAX_EXPORT_WAIT_SECONDS * 1000);
    // As long as an audit pack waits for cosignatures.
    const patience = serviceTime(now - MAX_SEAL_WAIT_MS);
    for (const row of await exportsAtWork(reader)) {
      if (await hasEvidence(reader, row, { orOpen: row.created_at <= patience })) return { row, isOverdue: false };
      if (row.created_at <= deadline) return { row, isOverdue: true };
    }
    return null;
  }

  async #build(lease: Lease, stop: AbortSignal, row: ExportRow): Promise<void> {
    if (row.attempts >= MAX_EXPORT_BUILDS) return this.#fail(lease, row, "internal_error");
    const { channel } = this.#context;
    let failure: FailureCode | null = "evidence_missing";
    try {
      const made = await new BuildExport(this.#context, this.#files).build(lease, stop, row.export_id);
      if (made === null) return;
      if (!("missing" in made)) {
        channel.publish(recorded, { last: made.recorded, isWindowFull: false });
        return channel.publish(built, made.outcome);
      }
    } catch (error) {
      failure = failureOf(error);
      if (failure === null) throw error;
      if (failure === "internal_error") channel.publish(failed, error);
    }
    await this.#fail(lease, row, failure);
  }

  async #fail(lease: Lease, row: ExportRow, code: FailureCode): Promise<void> {
    const now = this.#now();
    const isFailed = await this.#context.database.write(async (writer) => {
      await lease.hold(writer);
      const changed = await markExportFailed(writer, row.export_id, code, now);
      if (changed) await recordAccess(writer, serviceOf(row), "export.failed", row.export_id, { code }, now);
      return changed;
    });
    if (isFailed) this.#context.channel.publish(built, { isReady: false, sizeBytes: 0, seconds: 0 });
  }

  /**
   * Sweeps the folder, once for each process: while the lease is held, no other process builds. A package without its
   * file is lost.
   */
  async #sweep(lease: Lease): Promise<void> {
    const { administration, database } = this.#context;
    await this.#files.prepare();
    const ready = await database.read(readyExports);
    await database.write((writer) => lease.hold(writer));
    await this.#files.sweep(ready);
    for (const row of ready) {
      if ((await this.#files.sizeOf(row)) === row.size_bytes) continue;
      await administration.write(async (writer, record) => {
        await lease.hold(writer);
        await loseExport(writer, row, this.#now(), record);
      });
    }
    this.#isSwept = true;
  }

  async #tidy(lease: Lease): Promise<void> {
    const { administration, database } = this.#context;
    const now = this.#now();
    const { expired, withFiles } = await database.read(async (reader) => ({
      expired: await expiredExports(reader, now, PORTION),
      withFiles: await exportsWithFiles(reader, PORTION),
    }));
    for (const row of withFiles) await this.#files.remove(row.export_id);
    if (expired.length + withFiles.length === 0 && !(await database.read((reader) => anyTicketBefore(reader, now))))
      return;
    await administration.write(async (writer, record) => {
      await lease.hold(writer);
      for (const row of withFiles) await markFileRemoved(writer, row.export_id, now);
      for (const row of expired) await deleteExport(writer, serviceOf(row), row, "expired", now, record);
      await removeTicketsBefore(writer, now, PORTION);
    });
  }

  #now(): string {
    return serviceTime(this.#context.clock());
  }
}

/**
 * Resolves to whether the evidence of an export is complete. `orOpen`: or lacks cosignatures alone, where the policy
 * lets evidence go without them.
 */
async function hasEvidence(
  reader: Reader,
  { export_id, tenant_id }: ExportRow,
  { orOpen }: { readonly orOpen: boolean },
): Promise<boolean> {
  for (const { stream_id, to_seq_no } of await rangesOf(reader, export_id)) {
    const witnessed = await firstWitnessedOver(reader, stream_id, to_seq_no);
    const stream = witnessed === null && orOpen ? await findStream(reader, tenant_id, stream_id) : null;
    const last = stream === null ? witnessed : await openCheckpointOver(reader, stream, to_seq_no);
    if (last === null || (await awaitsAnchor(reader, tenant_id, last.checkpoint))) return false;
  }
  return true;
}
