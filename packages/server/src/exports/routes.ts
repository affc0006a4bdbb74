/** The routes of exports and truth packages. HTTP only. */
import { exports as contracts } from "@svc/api";
import { ServiceError } from "@svc/host/errors";
import { bind, json, type Route } from "@svc/host/http";
import type { Remote } from "@svc/host/parts";
import type { Downloads } from "./download.ts";
import type { DownloadRecords } from "./download-records.ts";
import type { Exports } from "./exports.ts";
import type { ReadExports } from "./read-exports.ts";
import type { RecordVerification } from "./record-verification.ts";

/** The capabilities that the routes call. */
export interface ExportCapabilities {
  readonly exports: Remote<Exports>;
  readonly readExports: ReadExports;
  readonly downloadRecords: Remote<DownloadRecords>;
  readonly downloads: Downloads;
  readonly recordVerification: Remote<RecordVerification>;
}

/** Returns the routes of exports. */
export function exportRoutes(capabilities: ExportCapabilities): Route[] {
  const { exports, readExports, downloadRecords, downloads, recordVerification } = capabilities;
  return [
    bind(contracts.create, async ({ principal, body, idempotencyKey }) =>
      json(await exports.create(principal, body, idempotencyKey)),
    ),
    bind(contracts.list, async ({ principal, query: { state, limit, cursor } }) =>
      json(await readExports.list(principal, state, { limit, after: cursor })),
    ),
    bind(contracts.get, async ({ principal, path }) => json(await readExports.one(principal, path.exportId))),
    bind(contracts.prepareDownload, async ({ principal, path }) =>
      json(await downloadRecords.prepare(principal, path.exportId)),
    ),
    bind(contracts.download, async ({ path, query, headers, address }) => {
      requireNoPrefetch(headers["Sec-Purpose"], headers.Purpose);
      const { part, sizeBytes, etag, fileName, accessId, challenge, lacksQuorum, pieces } = await downloads.open({
        exportId: path.exportId,
        ticket: query.ticket,
        range: headers.Range,
        ifRange: headers["If-Range"],
        userAgent: headers["User-Agent"],
        address,
      });
      const length = part === null ? sizeBytes : part.end - part.start + 1;
      const range = part === null ? {} : { "Content-Range": `bytes ${part.start}-${part.end}/${sizeBytes}` };
      return {
        pieces,
        isPart: part !== null,
        headers: {
          ...range,
          "Content-Length": `${length}`,
          "Content-Disposition": `attachment; filename="${fileName}"`,
          "Accept-Ranges": "bytes",
          ETag: etag,
          "SVC-Access-Id": accessId,
          ...(challenge === null ? {} : { "SVC-Challenge": challenge }),
          ...(lacksQuorum ? { "SVC-Evidence-Missing": "witness_statements" } : {}),
        },
      };
    }),
    bind(contracts.reportVerification, async ({ principal, path, body }) =>
      json(await recordVerification.record(principal, path.exportId, body)),
    ),
    bind(contracts.remove, async ({ principal, path }) => json(await exports.delete(principal, path.exportId))),
  ];
}

/**
 * Refuses a browser's prefetch: nobody has asked for the package yet, and the first request with a ticket is the
 * access. Browsers drop what is not 2xx, and no answer of the service is stored.
 */
function requireNoPrefetch(...purposes: readonly (string | null)[]): void {
  if (!purposes.some((purpose) => /^\s*prefetch\s*(?:[;,]|$)/i.test(purpose ?? ""))) return;
  throw new ServiceError(
    "prefetch_refused",
    "This request only prefetches the package, and its ticket was not used. Follow the link itself to download it.",
  );
}
