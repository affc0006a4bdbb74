/** An export as the routes show it, made from its row. */
import type { ExportInfo } from "@svc/api";
import { ARTIFACT_PATHS } from "@svc/core";
import type { FailureCode } from "./exports-store.ts";
import type { KnownExport } from "./visible-export.ts";

const FAILURES: Readonly<Record<FailureCode, string>> = {
  evidence_missing:
    "Its events did not get all their evidence in time. Watch the proof-state of their streams, and ask for a " +
    "new export.",
  store_full: "The disk behind the service is full. Tell the operator, and ask for a new export later.",
  export_too_large: "The package would be larger than an archive may be. Ask for several smaller exports.",
  internal_error: "The package could not be built, and the log of the service says why. Tell the operator.",
};

/** Returns the file name for the download of a package. */
export function fileNameOf(exportId: string): string {
  return `${exportId}.truth.zip`;
}

/** Returns an export as it is now. */
export function exportView({ row, ranges }: KnownExport): ExportInfo {
  const { failed_at, failure_code, deleted_at, deleted_because, package_sha256, manifest_sha256 } = row;
  return {
    export_id: row.export_id,
    state: row.state,
    payloads: row.payloads,
    events: ranges.reduce((sum, { from_seq_no, to_seq_no }) => sum + to_seq_no - from_seq_no + 1, 0),
    ranges: [...ranges],
    created_at: row.created_at,
    ready_at: row.ready_at,
    expires_at: row.expires_at,
    package:
      package_sha256 === null
        ? null
        : {
            file_name: fileNameOf(row.export_id),
            size_bytes: row.size_bytes ?? 0,
            sha256: package_sha256 as never,
            manifest_sha256: manifest_sha256 as never,
            artifacts: ARTIFACT_PATHS.length,
            generated_event_id: row.generated_event_id ?? "",
          },
    failure:
      failed_at === null || failure_code === null
        ? null
        : { failed_at, code: failure_code, message: FAILURES[failure_code] },
    deletion: deleted_at === null || deleted_because === null ? null : { deleted_at, because: deleted_because },
  };
}

/** Returns the export as it was when it was made: a repeated request gets this answer in any later state. */
export function queuedView({ row, ranges }: KnownExport): ExportInfo {
  const { export_id, payloads, created_at } = row;
  const never = { ready_at: null, expires_at: null, package: null, failure: null, deletion: null };
  const { events } = exportView({ row, ranges });
  return { export_id, state: "queued", payloads, events, ranges: [...ranges], created_at, ...never };
}
