/** The routes of exports and truth packages. HTTP only. */
import { exports as contracts } from "@svc/api";
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
