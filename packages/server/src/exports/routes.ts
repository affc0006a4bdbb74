/** The routes of exports and truth packages. HTTP only. */
import { exports as contracts } from "@svc/api";
import { bind, json, type Route } from "@svc/host/http";
import type { Downloads } from "./download.ts";
import type { Exports } from "./exports.ts";
import type { RecordVerification } from "./record-verification.ts";

/** The capabilities that the routes call. */
export interface ExportCapabilities {
  readonly exports: Exports;
  readonly downloads: Downloads;
  readonly recordVerification: RecordVerification;
}

/** Returns the routes of exports. */
export function exportRoutes({ exports, downloads, recordVerification }: ExportCapabilities): Route[] {
  return [
    bind(contracts.create, async ({ principal, body, idempotencyKey }) =>
      json(await exports.create(principal, body, idempotencyKey)),
    ),
    bind(contracts.list, async ({ principal, query: { state, limit, cursor } }) =>
      json(await exports.list(principal, state, { limit, after: cursor })),
    ),
    bind(contracts.get, async ({ principal, path }) => json(await exports.one(principal, path.exportId))),
    bind(contracts.prepareDownload, async ({ principal, path }) =>
      json(await downloads.prepare(principal, path.exportId)),
    ),
    bind(contracts.download, async ({ path, query, headers, address }) => {
      const { part, sizeBytes, etag, fileName, accessId, challenge, pieces } = await downloads.open({
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
        },
      };
    }),
    bind(contracts.reportVerification, async ({ principal, path, body }) =>
      json(await recordVerification.record(principal, path.exportId, body)),
    ),
    bind(contracts.remove, async ({ principal, path }) => json(await exports.delete(principal, path.exportId))),
  ];
}
