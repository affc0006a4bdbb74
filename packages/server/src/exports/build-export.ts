/**
 * One build of one package: it chooses its evidence, once, writes the package under names of unfinished files, and
 * gives it its final name with one commit. An interruption, such as an erasure, a deletion or the loss of the lease,
 * ends the build without a trace.
 */
import { rename } from "node:fs/promises";
import { MAX_EXPORT_BYTES, MAX_EXPORT_DAYS } from "@svc/api/limits";
import type { PackageRange } from "@svc/core";
import { latest, serviceTime } from "@svc/host/clock";
import { type Lease, LeaseLost } from "@svc/host/jobs";
import type { Principal } from "@svc/host/principal";
import { StoreFull, StoreUnavailable, type Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import { newId } from "../ids.ts";
import { recordLifecycle } from "../lifecycle/lifecycle-stream.ts";
import { type BundleLimits, collectEvidence, statementName } from "../packs/collect-evidence.ts";
import type { MissingEvidence } from "../packs/missing-evidence.ts";
import type { EventRow } from "../streams/events-store.ts";
import { findStream, listedStream } from "../streams/streams-store.ts";
import type { BuildOutcome } from "./built.ts";
import {
  type BuiltPackage,
  beginBuild,
  chosenBundle,
  type ExportRow,
  type FailureCode,
  isWanted,
  keepChoice,
  markReady,
  rangesOf,
  requeue,
} from "./exports-store.ts";
import type { PackageFiles } from "./package-files.ts";
import { PackageTooLarge } from "./write-artifact.ts";
import { archivePath, type PackagedStream, writePackage } from "./write-package.ts";

const DAY_MS = 86_400_000;
/** The interval at which a build checks whether it is still wanted, and extends its lease: well within the lease. */
const PULSE_MS = 500;
/**
 * Neighbouring events come with whole windows and checkpoints; the limits of an export were checked when it was
 * requested.
 */
const NO_LIMITS: BundleLimits = { events: Number.POSITIVE_INFINITY, payloadBytes: null };

/** The result of a build: a package, or the missing evidence for which it cannot be built. */
export type Built = { readonly recorded: EventRow; readonly outcome: BuildOutcome } | MissingEvidence;

/** The build is no longer wanted, or the process is about to end. */
class BuildEnded extends Error {}

/**
 * Returns the reason why an error makes an export fail; null if the error says nothing about the export, and the build
 * must be repeated.
 */
export function failureOf(error: unknown): FailureCode | null {
  if (error instanceof LeaseLost || error instanceof StoreUnavailable) return null;
  if (error instanceof PackageTooLarge) return "export_too_large";
  if (error instanceof StoreFull) return "store_full";
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT" ? "store_full" : "internal_error";
}

/** Builds packages of a deployment. */
export class BuildExport {
  readonly #context: Context;
  readonly #files: PackageFiles;

  constructor(context: Context, files: PackageFiles) {
    this.#context = context;
    this.#files = files;
  }

  /**
   * Builds a package. Resolves to null if the build was ended without a result. Rejects with errors that `failureOf`
   * judges.
   */
  async build(lease: Lease, stop: AbortSignal, exportId: string): Promise<Built | null> {
    const startedAt = performance.now();
    const { database, clock } = this.#context;
    const row = await database.write(async (writer) => {
      await lease.hold(writer);
      return beginBuild(writer, exportId, serviceTime(clock()));
    });
    if (row === null) return null;
    let isFinished = false;
    try {
      const streams = await this.#choose(lease, row);
      if ("missing" in streams) return streams;
      const plan = { build: row, packagedAt: row.packaged_at ?? "", streams };
      const pulse = this.#pulse(lease, stop, row);
      const built = await writePackage(this.#context, this.#files, plan, { maxBytes: MAX_EXPORT_BYTES, pulse });
      await rename(archivePath(this.#files, row), this.#files.pathOf(row));
      await this.#files.sync();
      const ranges = streams.map(({ range }) => range);
      const recorded = await database.write((writer) => this.#finish(writer, lease, row, built, ranges));
      isFinished = true;
      const seconds = (performance.now() - startedAt) / 1000;
      return { recorded, outcome: { isReady: true, sizeBytes: built.sizeBytes, seconds } };
    } catch (error) {
      if (!(error instanceof BuildEnded)) throw error;
      // A build that was ended because the process ends does not count as an attempt.
      if (stop.aborted) await database.write((writer) => requeue(writer, row, { attempts: row.attempts - 1 }));
      return null;
    } finally {
      await this.#files.discard(row, { andPackage: !isFinished });
    }
  }

  /**
   * Resolves to the evidence of each stream, the same for every build of an export; or to the missing evidence of one.
   */
  async #choose(lease: Lease, { tenant_id, export_id }: ExportRow): Promise<PackagedStream[] | MissingEvidence> {
    const { database, kernel } = this.#context;
    const streams: PackagedStream[] = [];
    for (const range of await database.read((reader) => rangesOf(reader, export_id))) {
      const { stream_id } = range;
      const { stream, kept, evidence } = await database.read(async (reader) => {
        const found = await findStream(reader, tenant_id, stream_id);
        const listed = await listedStream(reader, tenant_id, stream_id);
        if (found === null || listed === null) throw new Error(`stream ${stream_id} of an export is missing`);
        const stream = { ...found, use_case: listed.use_case };
        const kept = await chosenBundle(reader, export_id, stream_id);
        return { stream, kept, evidence: await collectEvidence(reader, kernel, stream, range, kept, NO_LIMITS) };
      });
      if ("missing" in evidence) return evidence;
      const chosen = kept ?? {
        bundle_id: newId("bundle"),
        window_count: evidence.checkpoints.at(-1)?.window_count ?? 0,
        statements: evidence.witnesses.statements.map(statementName),
      };
      if (kept === null)
        await database.write(async (writer) => {
          await lease.hold(writer);
          await keepChoice(writer, export_id, stream_id, chosen);
        });
      streams.push({ stream, range, chosen, evidence });
    }
    return streams;
  }

  #pulse(lease: Lease, stop: AbortSignal, row: ExportRow): () => Promise<void> {
    let last = performance.now();
    return async () => {
      if (stop.aborted) throw new BuildEnded();
      if (performance.now() - last < PULSE_MS) return;
      await this.#context.database.write(async (writer) => {
        await lease.hold(writer);
        if (!(await isWanted(writer, row))) throw new BuildEnded();
      });
      last = performance.now();
    };
  }

  /** Makes the package ready and records its lifecycle event, in one commit. */
  async #finish(
    writer: Writer,
    lease: Lease,
    row: ExportRow,
    built: BuiltPackage,
    ranges: readonly PackageRange[],
  ): Promise<EventRow> {
    await lease.hold(writer);
    if (!(await isWanted(writer, row))) throw new BuildEnded();
    const { tenant_id, actor_kind, actor_id, export_id, payloads } = row;
    const actor: Principal = { tenantId: tenant_id, kind: actor_kind, id: actor_id, roles: [] };
    const recorded = await recordLifecycle(writer, this.#context, actor, {
      event_type: "truth_package.generated",
      source_ref: export_id,
      payload: {
        export_id,
        packaged_at: row.packaged_at,
        package_sha256: built.packageSha256,
        manifest_sha256: built.manifestSha256,
        size_bytes: built.sizeBytes,
        challenge: built.challenge,
        proof_sha256: built.proofSha256,
        payloads,
        streams: ranges.length,
        actor: { kind: actor_kind, id: actor_id },
      },
    });
    const readyAt = latest(recorded.received_at, row.created_at);
    const expiresAt = serviceTime(Date.parse(readyAt) + MAX_EXPORT_DAYS * DAY_MS);
    await markReady(writer, row, built, { readyAt, expiresAt, eventId: recorded.stream_event_id });
    return recorded;
  }
}
