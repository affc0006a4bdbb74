/**
 * Exports and the ranges of events that they hold: all SQL about them, which makes the file long. States move by
 * compare-and-set.
 */
import type { HashHex, PackageRange } from "@svc/core";
import type { Principal } from "@svc/host/principal";
import { expectMoved, type Reader, type Writer } from "@svc/host/store";
import type { ChosenEvidence } from "../packs/collect-evidence.ts";

/** The state of an export. */
export type ExportState = "queued" | "building" | "ready" | "failed" | "deleted";
/** The reason why a package is gone. `lost`: its file was missing, such as after a restore. */
export type DeletionReason = "requested" | "expired" | "payload_erased" | "lost";
/** The reason why a package could not be built. */
export type FailureCode = "evidence_missing" | "store_full" | "export_too_large" | "internal_error";

/** An export. */
export interface ExportRow {
  readonly export_id: string;
  readonly tenant_id: string;
  readonly actor_kind: Principal["kind"];
  readonly actor_id: string;
  readonly payloads: "included" | "redacted";
  readonly state: ExportState;
  readonly created_at: string;
  readonly build_no: number;
  readonly attempts: number;
  readonly packaged_at: string | null;
  readonly package_sha256: string | null;
  readonly manifest_sha256: string | null;
  readonly size_bytes: number | null;
  /**
   * The challenge that a reporter answers over the bytes of the package, and the hash of the answer; also null for
   * packages of earlier releases.
   */
  readonly challenge: HashHex | null;
  readonly proof_sha256: HashHex | null;
  readonly generated_event_id: string | null;
  readonly ready_at: string | null;
  readonly expires_at: string | null;
  readonly failed_at: string | null;
  readonly failure_code: FailureCode | null;
  readonly deleted_at: string | null;
  readonly deleted_because: DeletionReason | null;
  readonly file_removed_at: string | null;
}

/** The evidence that was chosen for one bundle, with the bundle's id. */
export interface ChosenBundle extends ChosenEvidence {
  readonly bundle_id: string;
}

/** A finished package. */
export interface BuiltPackage {
  readonly packageSha256: string;
  readonly manifestSha256: string;
  readonly sizeBytes: number;
  readonly challenge: HashHex;
  readonly proofSha256: HashHex;
}

/** Inserts a queued export with its ranges. */
export async function insertExport(
  writer: Writer,
  actor: Principal,
  row: Pick<ExportRow, "export_id" | "payloads" | "created_at">,
  ranges: readonly PackageRange[],
): Promise<void> {
  await writer.run(
    `INSERT INTO exports (export_id, tenant_id, actor_kind, actor_id, payloads, state, created_at, build_no, attempts)
     VALUES ($1, $2, $3, $4, $5, 'queued', $6, 0, 0)`,
    row.export_id,
    actor.tenantId,
    actor.kind,
    actor.id,
    row.payloads,
    row.created_at,
  );
  for (const range of ranges)
    await writer.run(
      "INSERT INTO export_ranges (export_id, stream_id, tenant_id, from_seq_no, to_seq_no) VALUES ($1, $2, $3, $4, $5)",
      row.export_id,
      range.stream_id,
      actor.tenantId,
      range.from_seq_no,
      range.to_seq_no,
    );
}

/** Resolves to an export of this tenant, or null. */
export function findExport(reader: Reader, tenantId: string, exportId: string): Promise<ExportRow | null> {
  return reader.first<ExportRow>("SELECT * FROM exports WHERE tenant_id = $1 AND export_id = $2", tenantId, exportId);
}

/** Resolves to the ranges of an export, ascending by stream. */
export function rangesOf(reader: Reader, exportId: string): Promise<PackageRange[]> {
  return reader.all<PackageRange>(
    "SELECT stream_id, from_seq_no, to_seq_no FROM export_ranges WHERE export_id = $1 ORDER BY stream_id",
    exportId,
  );
}

/** Resolves to how many exports of a tenant, and of one actor of it, are queued, building or ready. */
export async function storedExports(
  reader: Reader,
  { tenantId, id }: Principal,
): Promise<{ readonly ofTenant: number; readonly ofActor: number }> {
  const row = await reader.first<{ of_tenant: number; of_actor: number | null }>(
    `SELECT COUNT(*) AS of_tenant, SUM(CASE WHEN actor_id = $2 THEN 1 ELSE 0 END) AS of_actor FROM exports
     WHERE tenant_id = $1 AND state IN ('queued', 'building', 'ready')`,
    tenantId,
    id,
  );
  return { ofTenant: Number(row?.of_tenant ?? 0), ofActor: Number(row?.of_actor ?? 0) };
}

/** Marks an export as deleted, in any state; its file goes later. Resolves to false if it was deleted before. */
export async function markDeleted(
  writer: Writer,
  exportId: string,
  because: DeletionReason,
  now: string,
): Promise<boolean> {
  const changed = await writer.run(
    `UPDATE exports SET state = 'deleted', deleted_at = $1, deleted_because = $2, failed_at = NULL, failure_code = NULL
     WHERE export_id = $3 AND state <> 'deleted'`,
    now,
    because,
    exportId,
  );
  await forgetChoice(writer, exportId);
  return changed === 1;
}

/**
 * Resolves to the exports with payloads that hold an event and are ready or building. A stream belongs to one tenant,
 * so the tenant narrows nothing; it is compared as in every statement that a request reaches.
 */
export function exportsWithPayload(
  reader: Reader,
  tenantId: string,
  streamId: string,
  seqNo: number,
): Promise<ExportRow[]> {
  return reader.all<ExportRow>(
    `SELECT e.* FROM export_ranges r JOIN exports e ON e.export_id = r.export_id
     WHERE r.stream_id = $1 AND r.from_seq_no <= $2 AND r.to_seq_no >= $2 AND e.tenant_id = $3
       AND e.payloads = 'included' AND e.state IN ('building', 'ready')`,
    streamId,
    seqNo,
    tenantId,
  );
}

/** Returns a build to the queue. `attempts`: how many earlier builds count. */
export async function requeue(
  writer: Writer,
  { export_id, build_no }: ExportRow,
  { attempts }: { readonly attempts: number },
): Promise<void> {
  await writer.run(
    "UPDATE exports SET state = 'queued', attempts = $1 WHERE export_id = $2 AND build_no = $3 AND state = 'building'",
    attempts,
    export_id,
    build_no,
  );
}

/** Resolves to the exports of all tenants that are queued or building, oldest first. Only the builder may call this. */
export function exportsAtWork(reader: Reader): Promise<ExportRow[]> {
  return reader.all<ExportRow>("SELECT * FROM exports WHERE state IN ('queued', 'building') ORDER BY export_id");
}

/** Begins a build, and resolves to its row; null if the export is no longer wanted. */
export async function beginBuild(writer: Writer, exportId: string, packagedAt: string): Promise<ExportRow | null> {
  const [row] = await writer.all<ExportRow>(
    `UPDATE exports SET state = 'building', build_no = build_no + 1, attempts = attempts + 1,
       packaged_at = COALESCE(packaged_at, $1)
     WHERE export_id = $2 AND state IN ('queued', 'building') RETURNING *`,
    packagedAt,
    exportId,
  );
  return row ?? null;
}

/** Resolves to whether a build is still the wanted one. */
export async function isWanted(reader: Reader, { export_id, build_no }: ExportRow): Promise<boolean> {
  const sql = "SELECT 1 FROM exports WHERE export_id = $1 AND build_no = $2 AND state = 'building'";
  return (await reader.first(sql, export_id, build_no)) !== null;
}

/** Resolves to the evidence chosen for the bundle of a stream; null if none is chosen yet. */
export async function chosenBundle(reader: Reader, exportId: string, streamId: string): Promise<ChosenBundle | null> {
  const row = await reader.first<{ evidence: string | null }>(
    "SELECT evidence FROM export_ranges WHERE export_id = $1 AND stream_id = $2",
    exportId,
    streamId,
  );
  return row === null || row.evidence === null ? null : (JSON.parse(row.evidence) as ChosenBundle);
}

/** Stores the evidence chosen for the bundle of a stream. */
export async function keepChoice(
  writer: Writer,
  exportId: string,
  streamId: string,
  chosen: ChosenBundle,
): Promise<void> {
  await writer.run(
    "UPDATE export_ranges SET evidence = $1 WHERE export_id = $2 AND stream_id = $3",
    JSON.stringify(chosen),
    exportId,
    streamId,
  );
}

/** The evidence of a stream as it is kept when the package is built: only that it lacks cosignatures. */
export const LACKS_QUORUM = '{"lacksQuorum":true}';

/** Forgets the chosen evidence, which is stored only as long as the package may be built again. */
async function forgetChoice(writer: Writer, exportId: string): Promise<void> {
  await writer.run("UPDATE export_ranges SET evidence = NULL WHERE export_id = $1", exportId);
}

/** Forgets it but for what a finished package says of itself. */
async function reduceChoice(writer: Writer, exportId: string): Promise<void> {
  await writer.run(
    `UPDATE export_ranges SET evidence = CASE WHEN evidence LIKE '%"lacksQuorum":true%' THEN '${LACKS_QUORUM}' END
     WHERE export_id = $1`,
    exportId,
  );
}

/** Resolves to whether a package that is ready lacks cosignatures that a witness policy asks for. */
export async function lacksQuorum(reader: Reader, exportId: string): Promise<boolean> {
  const sql = "SELECT 1 FROM export_ranges WHERE export_id = $1 AND evidence = $2 LIMIT 1";
  return (await reader.first(sql, exportId, LACKS_QUORUM)) !== null;
}

/** Marks an export as ready. Rejects with WriteConflict if another build, an erasure or a deletion intervened. */
export async function markReady(
  writer: Writer,
  { export_id, build_no }: ExportRow,
  built: BuiltPackage,
  { readyAt, expiresAt, eventId }: { readonly readyAt: string; readonly expiresAt: string; readonly eventId: string },
): Promise<void> {
  const changed = await writer.run(
    `UPDATE exports SET state = 'ready', attempts = 0, package_sha256 = $1, manifest_sha256 = $2, size_bytes = $3,
       challenge = $4, proof_sha256 = $5, ready_at = $6, expires_at = $7, generated_event_id = $8
     WHERE export_id = $9 AND build_no = $10 AND state = 'building'`,
    built.packageSha256,
    built.manifestSha256,
    built.sizeBytes,
    built.challenge,
    built.proofSha256,
    readyAt,
    expiresAt,
    eventId,
    export_id,
    build_no,
  );
  expectMoved(changed, `the export ${export_id}`);
  await reduceChoice(writer, export_id);
}

/** Marks a queued or building export as failed. Resolves to false for an export in another state. */
export async function markExportFailed(
  writer: Writer,
  exportId: string,
  code: FailureCode,
  now: string,
): Promise<boolean> {
  const changed = await writer.run(
    `UPDATE exports SET state = 'failed', failed_at = $1, failure_code = $2
     WHERE export_id = $3 AND state IN ('queued', 'building')`,
    now,
    code,
    exportId,
  );
  if (changed === 1) await forgetChoice(writer, exportId);
  return changed === 1;
}

/** Resolves to the packages of all tenants that have expired, `most` at most. */
export function expiredExports(reader: Reader, now: string, most: number): Promise<ExportRow[]> {
  return reader.all<ExportRow>(
    "SELECT * FROM exports WHERE state = 'ready' AND expires_at <= $1 ORDER BY expires_at LIMIT $2",
    now,
    most,
  );
}

/** Resolves to the packages of all tenants that are ready. */
export function readyExports(reader: Reader): Promise<ExportRow[]> {
  return reader.all<ExportRow>("SELECT * FROM exports WHERE state = 'ready' ORDER BY export_id");
}

/** Resolves to the deleted exports whose files may still exist, `most` at most. */
export function exportsWithFiles(reader: Reader, most: number): Promise<ExportRow[]> {
  return reader.all<ExportRow>(
    "SELECT * FROM exports WHERE state = 'deleted' AND file_removed_at IS NULL ORDER BY export_id LIMIT $1",
    most,
  );
}

/** Notes that the file of a deleted export is gone. */
export async function markFileRemoved(writer: Writer, exportId: string, now: string): Promise<void> {
  await writer.run("UPDATE exports SET file_removed_at = $1 WHERE export_id = $2", now, exportId);
}

/** Resolves to the number of exports of all tenants that are not built yet. */
export async function waitingExports(reader: Reader): Promise<number> {
  const sql = "SELECT COUNT(*) AS waiting FROM exports WHERE state IN ('queued', 'building')";
  return Number((await reader.first<{ waiting: number }>(sql))?.waiting ?? 0);
}
