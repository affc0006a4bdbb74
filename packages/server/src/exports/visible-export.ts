/**
 * The exports that a principal may see: an export of another tenant does not exist for it; one of another system of the
 * same tenant is forbidden, and so is one with streams outside of the key's limits. This file also checks whether an
 * export has a package.
 */
import type { PackageRange } from "@svc/core";
import { ServiceError } from "@svc/host/errors";
import type { Principal } from "@svc/host/principal";
import type { Reader } from "@svc/host/store";
import { type ExportRow, findExport, rangesOf } from "./exports-store.ts";

/** An export with the events that it holds. */
export interface KnownExport {
  readonly row: ExportRow;
  readonly ranges: readonly PackageRange[];
}

/** Resolves to the export. Rejects with `export_not_found` or `export_forbidden`. */
export async function visibleExport(reader: Reader, principal: Principal, exportId: string): Promise<KnownExport> {
  const row = await findExport(reader, principal.tenantId, exportId);
  if (row === null)
    throw new ServiceError(
      "export_not_found",
      `There is no export ${JSON.stringify(exportId)} that this key can see. Compare the id with the answer to ` +
        `POST /v1/exports.`,
    );
  const ranges = await rangesOf(reader, exportId);
  if (principal.kind !== "system" || row.actor_id !== principal.id)
    throw new ServiceError(
      "export_forbidden",
      `Export ${exportId} belongs to another system of your tenant. Use that system's key.`,
    );
  const only = principal.limits?.streams ?? null;
  if (only !== null && !ranges.every(({ stream_id }) => only.includes(stream_id)))
    throw new ServiceError("export_forbidden", `This key is kept to other streams than those of export ${exportId}.`);
  return { row, ranges };
}

/** An export whose package was built. */
export type PackagedExport = ExportRow & {
  readonly package_sha256: string;
  readonly manifest_sha256: string;
  readonly size_bytes: number;
};

/**
 * Returns an export whose package was built, even if it is gone. Throws `export_not_ready`, `export_failed`, or
 * `export_deleted` for one that was deleted before.
 */
export function requireBuilt(row: ExportRow): PackagedExport {
  const { export_id, package_sha256, manifest_sha256, size_bytes } = row;
  if (package_sha256 !== null && manifest_sha256 !== null && size_bytes !== null)
    return { ...row, package_sha256, manifest_sha256, size_bytes };
  if (row.state === "failed")
    throw new ServiceError(
      "export_failed",
      `The package of ${export_id} could not be built (${row.failure_code}). GET /v1/exports/${export_id} says ` +
        `more; ask for a new export.`,
    );
  if (row.state === "deleted") throw gone(row);
  throw new ServiceError(
    "export_not_ready",
    `The package of ${export_id} is not built yet. Watch the state of GET /v1/exports/${export_id}, and ask ` +
      `again when it is ready.`,
  );
}

/** Returns an export whose package is here. Throws as `requireBuilt`, and `export_deleted`. */
export function requireReady(row: ExportRow): PackagedExport {
  const built = requireBuilt(row);
  if (row.state !== "ready") throw gone(row);
  return built;
}

/** Returns the refusal of a package that is gone. */
export function gone({ export_id, deleted_because }: ExportRow): ServiceError {
  return new ServiceError(
    "export_deleted",
    `The package of ${export_id} is no longer here (${deleted_because}). Ask for a new export.`,
    { deleted_because },
  );
}
