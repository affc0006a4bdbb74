/**
 * One build of one package: it has the package made under the names of unfinished files (package-maker.ts), and gives
 * it its final name with one commit. The evidence of an export is chosen once, for all of its builds. An interruption,
 * such as an erasure, a deletion or the loss of the lease, ends the build without a trace.
 */
import { rename } from "node:fs/promises";
import { MAX_EXPORT_BYTES, MAX_EXPORT_DAYS } from "@svc/api/limits";
import { latest, serviceTime } from "@svc/host/clock";
import { type Lease, LeaseLost } from "@svc/host/jobs";
import type { Principal } from "@svc/host/principal";
import { StoreFull, StoreUnavailable, type Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import { newId } from "../ids.ts";
import { recordLifecycle } from "../lifecycle/lifecycle-stream.ts";
import type { ChosenEvidence } from "../packs/collect-evidence.ts";
import type { MissingEvidence } from "../packs/missing-evidence.ts";
import type { CurrentKey } from "../signing/signing-key.ts";
import type { EventRow } from "../streams/events-store.ts";
import type { BuildOutcome } from "./built.ts";
import { packageGenerated } from "./events.ts";
import {
  beginBuild,
  type ChosenBundle,
  type ExportRow,
  type FailureCode,
  isWanted,
  keepChoice,
  markReady,
  requeue,
} from "./exports-store.ts";
import type { MadePackage, PackageOrder } from "./making.ts";
import { MakingThread } from "./making-thread.ts";
import type { PackageFiles } from "./package-files.ts";
import { MakingEnded, MakingHere, MakingLost, type PackageMaker } from "./package-maker.ts";
import { PackageTooLarge } from "./write-artifact.ts";
import { archivePath } from "./write-package.ts";

const DAY_MS = 86_400_000;
/** The result of a build: a package, or the missing evidence for which it cannot be built. */
export type Built = { readonly recorded: EventRow; readonly outcome: BuildOutcome } | MissingEvidence;

/**
 * Returns the reason why an error makes an export fail; null if the error says nothing about the export, and the build
 * must be repeated.
 */
export function failureOf(error: unknown): FailureCode | null {
  if (error instanceof LeaseLost || error instanceof StoreUnavailable || error instanceof MakingLost) return null;
  if (error instanceof PackageTooLarge) return "export_too_large";
  if (error instanceof StoreFull) return "store_full";
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT" ? "store_full" : "internal_error";
}

function makerOf({ database, archived, databaseLocation, kernel, folder }: Context, files: PackageFiles): PackageMaker {
  return databaseLocation === null
    ? new MakingHere({ database, archived }, kernel, files)
    : new MakingThread(databaseLocation, folder);
}

/** Builds packages of a deployment. */
export class BuildExport {
  readonly #context: Context;
  readonly #files: PackageFiles;
  readonly #maker: PackageMaker;

  /** `maker`: where packages are made; by default on a thread if the database has a file. */
  constructor(context: Context, files: PackageFiles, maker: PackageMaker = makerOf(context, files)) {
    this.#context = context;
    this.#files = files;
    this.#maker = maker;
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
      const { order, signer } = await this.#order(row);
      const calls = {
        keep: (streamId: string, evidence: ChosenEvidence) => this.#keep(lease, exportId, streamId, evidence),
        sign: async (message: Uint8Array) => signer.sign(message),
        check: () => this.#check(lease, row),
      };
      const built = await this.#maker.make(order, calls, stop);
      if ("missing" in built) return built;
      await rename(archivePath(this.#files, row), this.#files.pathOf(row));
      await this.#files.sync();
      const recorded = await database.write((writer) => this.#finish(writer, lease, row, built));
      isFinished = true;
      const seconds = (performance.now() - startedAt) / 1000;
      return { recorded, outcome: { isReady: true, sizeBytes: built.sizeBytes, seconds } };
    } catch (error) {
      if (!(error instanceof MakingEnded)) throw error;
      // A build that was ended because the process ends does not count as an attempt.
      if (stop.aborted) await database.write((writer) => requeue(writer, row, { attempts: row.attempts - 1 }));
      return null;
    } finally {
      await this.#files.discard(row, { andPackage: !isFinished });
    }
  }

  /** Resolves to the order for the package, and the key that seals it. */
  async #order(row: ExportRow): Promise<{ readonly order: PackageOrder; readonly signer: CurrentKey }> {
    const { database, origin, signingKey } = this.#context;
    const { signer, carried } = await database.read(async (reader) => ({
      signer: await signingKey.current(reader),
      carried: await signingKey.carried(reader),
    }));
    const { kid, publicKeyHex, validFrom } = signer;
    const { export_id, tenant_id, build_no, attempts, payloads } = row;
    const order = {
      build: { export_id, tenant_id, build_no, attempts, payloads },
      packagedAt: row.packaged_at ?? "",
      origin,
      key: { kid, publicKeyHex, validFrom },
      carried,
      maxBytes: MAX_EXPORT_BYTES,
    };
    return { order, signer };
  }

  /** Stores the choice for the bundle of a stream: every build of an export has the same evidence. */
  async #keep(lease: Lease, exportId: string, streamId: string, evidence: ChosenEvidence): Promise<ChosenBundle> {
    const chosen = { bundle_id: newId("bundle"), ...evidence };
    await this.#context.database.write(async (writer) => {
      await lease.hold(writer);
      await keepChoice(writer, exportId, streamId, chosen);
    });
    return chosen;
  }

  /** Proves the lease, and rejects with MakingEnded if the build is no longer the wanted one. */
  #check(lease: Lease, row: ExportRow): Promise<void> {
    return this.#context.database.write(async (writer) => {
      await lease.hold(writer);
      if (!(await isWanted(writer, row))) throw new MakingEnded();
    });
  }

  /** Makes the package ready and records its lifecycle event, in one commit. */
  async #finish(writer: Writer, lease: Lease, row: ExportRow, built: MadePackage): Promise<EventRow> {
    await lease.hold(writer);
    if (!(await isWanted(writer, row))) throw new MakingEnded();
    const { tenant_id, actor_kind, actor_id, export_id, payloads } = row;
    const actor: Principal = { tenantId: tenant_id, kind: actor_kind, id: actor_id, roles: [] };
    const recorded = await recordLifecycle(writer, this.#context, actor, {
      type: packageGenerated,
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
        streams: built.streams,
        ...(built.lacksQuorum ? { lacks: "witness_statements" } : {}),
        actor: { kind: actor_kind, id: actor_id },
      },
    });
    const readyAt = latest(recorded.received_at, row.created_at);
    const expiresAt = serviceTime(Date.parse(readyAt) + MAX_EXPORT_DAYS * DAY_MS);
    await markReady(writer, row, built, { readyAt, expiresAt, eventId: recorded.stream_event_id });
    return recorded;
  }
}
