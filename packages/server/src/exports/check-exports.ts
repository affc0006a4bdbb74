/**
 * Checks exports, accesses and verifications: each row against the event of the lifecycle stream that records it, and
 * against the audit log; each package against its recorded hash. Nothing binds tickets that were never used. The
 * evidence that a running build has chosen is NOT checked: its package will show it.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { exports as contracts } from "@svc/api";
import type { Kernel } from "@svc/core";
import type { RawRow } from "@svc/host/checks";
import { difference, type Fault, type StrayRule, strayRows } from "@svc/host/checks";
import { ServiceError } from "@svc/host/errors";
import type { Reader } from "@svc/host/store";
import { ArchivedPayloads } from "../archived/archived-payloads.ts";
import type { CheckContext } from "../check-context.ts";
import { type ExportRow, findExport, LACKS_QUORUM } from "./exports-store.ts";
import { PackageFiles } from "./package-files.ts";
import {
  type LifecycleRow,
  type LoggedRow,
  lifecycleRows,
  loggedExports,
  rawExports,
  rawRanges,
} from "./rows-store.ts";

const PORTION = 100;
const STRAYS: readonly StrayRule[] = [
  {
    table: "access_log",
    id: "object_id",
    fault: "the export that it says was made is not there",
    where: "e.action = 'export.created' AND e.object_id NOT IN (SELECT export_id FROM exports)",
  },
];

/** Yields the faults of exports. */
export async function* checkExports(context: CheckContext): AsyncGenerator<Fault> {
  const { database } = context;
  yield* strayRows(context, STRAYS);
  yield* recordedFaults(context);
  for (let after = ""; ; ) {
    // One snapshot holds an export and its rows: meanwhile builds begin and packages are deleted.
    const { rows, faults } = await database.read(async (reader) => {
      const rows = await rawExports(reader, after, PORTION);
      const faults: Fault[] = [];
      for (const row of rows) faults.push(...(await exportFaults(reader, row)));
      return { rows, faults };
    });
    yield* faults;
    for (const row of rows) {
      const fault = await fileFault(context, row);
      if (fault !== null && (await isStill(context, row))) yield fault;
    }
    if (rows.length < PORTION) return;
    after = rows.at(-1)?.export_id ?? after;
  }
}

/** Yields the faults of the rows to which lifecycle events refer. */
async function* recordedFaults({ database, kernel, archivePath }: CheckContext): AsyncGenerator<Fault> {
  const archived = archivePath === null ? null : new ArchivedPayloads(archivePath);
  for (let after = ""; ; ) {
    const events = await database.read((reader) => lifecycleRows(reader, after, PORTION));
    // The check of the archive reports payloads that cannot be fetched.
    const fetched = await archived?.restored(database, events).catch(ifNotFetched);
    for (const event of fetched ?? events) yield* eventFaults(kernel, event);
    if (events.length < PORTION) return;
    after = events.at(-1)?.stream_event_id ?? after;
  }
}

function ifNotFetched(error: unknown): null {
  if (error instanceof ServiceError) return null;
  throw error;
}

/** Yields the fault of the row that belongs to an event, compared with the event's payload. */
function* eventFaults(kernel: Kernel, event: LifecycleRow): Generator<Fault> {
  const { stream_event_id, event_type, row } = event;
  const parsed = kernel.parseJson(Buffer.from(event.payload ?? ""));
  // The events themselves are checked elsewhere.
  if (!parsed.ok) return;
  const said = parsed.value as Record<string, never>;
  const { actor = {}, verifier = {} } = said as { actor?: Record<string, never>; verifier?: Record<string, never> };
  const place = { tenant_id: event.tenant_id, export_id: event.source_ref };
  const [table, expected] = {
    "truth_package.generated": [
      "exports",
      {
        ...place,
        actor_kind: actor.kind,
        actor_id: actor.id,
        payloads: said.payloads,
        packaged_at: said.packaged_at,
        package_sha256: said.package_sha256,
        manifest_sha256: said.manifest_sha256,
        size_bytes: said.size_bytes,
        // Earlier releases gave no challenges.
        challenge: said.challenge ?? null,
        proof_sha256: said.proof_sha256 ?? null,
        ready_at: event.received_at,
        kept: said.lacks === undefined || row?.state !== "ready" ? null : LACKS_QUORUM,
      },
    ],
    "truth_package.accessed": [
      "export_accesses",
      { ...place, access_id: said.access_id, actor_kind: actor.kind, actor_id: actor.id },
    ],
    "truth_package.verified": [
      "export_verifications",
      {
        tenant_id: event.tenant_id,
        access_id: said.access_id,
        verifier_kind: verifier.kind,
        verifier_version: verifier.version,
      },
    ],
  }[event_type] as [string, RawRow];
  const key = { event: stream_event_id };
  if (row === null) yield { table, row: key, fault: `no row names this ${event_type}` };
  else {
    const fault = difference(table, key, row, expected);
    if (fault !== null) yield fault;
  }
}

/** Resolves to the faults of a row against the audit log, its ranges, and its state. */
async function exportFaults(reader: Reader, row: ExportRow): Promise<Fault[]> {
  const { export_id, tenant_id, state } = row;
  const key = { export_id };
  const logged = await loggedExports(reader, export_id);
  const of = (action: string) => logged.find((one) => one.action === action);
  const created = of("export.created");
  if (created === undefined)
    return [{ table: "exports", row: key, fault: "the audit log does not say that it was made" }];
  const isBuilt = row.generated_event_id !== null;
  const [failed, deleted] = [state === "failed" ? of("export.failed") : undefined, of("export.deleted")];
  const isDeleted = state === "deleted";
  const { payloads, ranges } = detailOf(created) as unknown as { payloads: string; ranges: RawRow[] };
  const expected = {
    tenant_id: created.tenant_id,
    actor_kind: created.actor_kind,
    actor_id: created.actor_id,
    payloads,
    created_at: created.at,
    failed_at: failed?.at ?? null,
    failure_code: failed === undefined ? null : detailOf(failed).code,
    deleted_at: deleted?.at ?? null,
    deleted_because: deleted === undefined ? null : detailOf(deleted).because,
    ...(isBuilt && (state === "ready" || isDeleted) ? {} : UNBUILT),
    ...(row.build_no === 0 ? { attempts: 0, packaged_at: null } : {}),
    ...(isDeleted ? {} : { file_removed_at: null }),
  };
  const faults = [difference("exports", key, { ...row }, expected)];
  if (state === "ready" && !isBuilt)
    faults.push({ table: "exports", row: key, fault: "it is ready, and was never built" });
  if (isDeleted !== (deleted !== undefined))
    faults.push({ table: "exports", row: key, fault: `its state is ${state}, and the audit log says otherwise` });
  if (state === "failed" && failed === undefined)
    faults.push({ table: "exports", row: key, fault: "it failed, and the audit log does not say so" });
  if (!(contracts.EXPORT_STATES as readonly string[]).includes(state))
    faults.push({ table: "exports", row: key, fault: `its state is ${JSON.stringify(state)}, which is not a state` });
  const stored = await rawRanges(reader, export_id);
  for (const range of ranges) {
    const name = { export_id, stream_id: range.stream_id ?? null };
    const found = stored.find(({ stream_id }) => stream_id === range.stream_id);
    if (found === undefined) faults.push({ table: "export_ranges", row: name, fault: "is missing" });
    else
      faults.push(
        difference("export_ranges", name, found, {
          ...range,
          tenant_id,
          ...evidenceOf(row, found),
        }),
      );
  }
  if (stored.length > ranges.length)
    faults.push({ table: "export_ranges", row: key, fault: "there are more ranges than were asked for" });
  return faults.filter((fault) => fault !== null);
}

/** Returns the evidence that a range keeps; the event of a finished package says whether it lacks cosignatures. */
function evidenceOf({ build_no, state }: ExportRow, { evidence = null }: RawRow): RawRow {
  if (build_no > 0 && (state === "queued" || state === "building")) return {};
  return { evidence: state === "ready" && evidence === LACKS_QUORUM ? LACKS_QUORUM : null };
}

const UNBUILT = {
  package_sha256: null,
  manifest_sha256: null,
  size_bytes: null,
  challenge: null,
  proof_sha256: null,
  generated_event_id: null,
  ready_at: null,
  expires_at: null,
} as const;

function detailOf({ detail }: LoggedRow): Record<string, never> {
  return JSON.parse(detail) as Record<string, never>;
}

/** Resolves to whether an export is in its state now: the file of a package is removed after its row has changed. */
async function isStill({ database }: CheckContext, { tenant_id, export_id, state }: ExportRow): Promise<boolean> {
  return (await database.read((reader) => findExport(reader, tenant_id, export_id)))?.state === state;
}

/** Resolves to the fault of a package whose file is not the one that was built, or null. */
async function fileFault({ exportsPath }: CheckContext, row: ExportRow): Promise<Fault | null> {
  if (exportsPath === null || row.state !== "ready") return null;
  const packages = new PackageFiles(exportsPath);
  const fault = (what: string): Fault => ({ table: "exports", row: { export_id: row.export_id }, fault: what });
  if ((await packages.sizeOf(row)) === null) return fault("the file of its package is missing");
  const hash = createHash("sha256");
  try {
    for await (const piece of createReadStream(packages.pathOf(row))) hash.update(piece as Uint8Array);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return fault("the file of its package is missing");
    throw error;
  }
  const actual = hash.digest("hex");
  return actual === row.package_sha256 ? null : fault(`the file of its package has the SHA-256 ${actual}`);
}
