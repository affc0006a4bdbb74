/**
 * Downloads. A ticket opens one download of one package for a short time; it is the whole credential, so that a browser
 * can follow a link. Its first use is the access, recorded in the lifecycle stream before a byte leaves. An interrupted
 * download continues with the same ticket: by a request with Range and, in If-Range, the ETag of the first answer,
 * which appears nowhere else. Each continuation is noted in the audit log.
 */
import { serviceTime } from "@svc/host/clock";
import { ServiceError } from "@svc/host/errors";
import { type Part, partOf } from "@svc/host/http/byte-range";
import type { Remote } from "@svc/host/parts";
import type { AnsweringContext } from "../context.ts";
import { type AccessRow, findTicket } from "./accesses-store.ts";
import { type DownloadRecords, downloadRecordsPart, ticketUsed } from "./download-records.ts";
import { findExport, lacksQuorum } from "./exports-store.ts";
import type { OpenPackage, PackageFiles } from "./package-files.ts";
import { fileNameOf } from "./view.ts";
import { gone, type PackagedExport, requireReady } from "./visible-export.ts";

/** A request for the bytes of a package. Missing headers are null. */
export interface DownloadRequest {
  readonly exportId: string;
  readonly ticket: string;
  readonly range: string | null;
  readonly ifRange: string | null;
  readonly address: string;
  readonly userAgent: string | null;
}

/** The answer: the whole package, or a part of it. */
export interface Download {
  /** Null for the whole. */
  readonly part: Part | null;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly fileName: string;
  readonly accessId: string;
  /** The challenge that a report on the access must answer; null for a package of an earlier release. */
  readonly challenge: string | null;
  /** Whether one of its bundles lacks cosignatures that its witness policy asks for. */
  readonly lacksQuorum: boolean;
  readonly pieces: AsyncIterable<Uint8Array>;
}

type Needs = Pick<AnsweringContext, "database" | "clock" | "keyedHash" | "parts">;

/** Gives out the packages of a deployment. */
export class Downloads {
  readonly #context: Needs;
  readonly #records: Remote<DownloadRecords>;
  readonly #files: PackageFiles;

  constructor(context: Needs, files: PackageFiles) {
    this.#context = context;
    this.#records = context.parts.use(downloadRecordsPart);
    this.#files = files;
  }

  /**
   * Opens a download. Records it if it is the first with its ticket, and notes its continuation if it is a later one.
   * Rejects with `ticket_invalid`, `ticket_expired`, `ticket_used`, `range_not_satisfiable` and the refusals of
   * `requireReady`. The caller must take all pieces, or end their iterator.
   */
  async open(request: DownloadRequest): Promise<Download> {
    const { access, row, isLacking } = await this.#find(request);
    const { size_bytes: sizeBytes } = row;
    const [etag = "", ...earlierEtags] = this.#etagsOf(access, row);
    const isFirst = access.accessed_event_id === null;
    // A new ticket is a new access, also when it continues the download of another ticket.
    const isOfThis = isFirst
      ? isEtagOf(row, request.ifRange)
      : [etag, ...earlierEtags].some((one) => one === request.ifRange);
    const part = request.ifRange === null || isOfThis ? partOf(request.range, sizeBytes) : null;
    if (!isFirst && (part === null || !isOfThis)) throw ticketUsed();
    if (part === "unsatisfiable")
      throw new ServiceError(
        "range_not_satisfiable",
        `The package has ${sizeBytes} bytes, and the Range begins behind them. Ask for less, or without Range.`,
        { size_bytes: sizeBytes },
      );
    const file = await this.#openFile(row);
    const sent = part ?? { start: 0, end: sizeBytes - 1 };
    try {
      await (isFirst
        ? this.#records.access(access, row, request)
        : this.#records.resumption(access, row, request, sent));
    } catch (error) {
      await file.close();
      throw error;
    }
    const { access_id: accessId } = access;
    const { export_id, challenge } = row;
    const pieces = file.pieces(sent);
    const fileName = fileNameOf(export_id);
    return { part, sizeBytes, etag, fileName, accessId, challenge, lacksQuorum: isLacking, pieces };
  }

  /**
   * Returns the ETag, and that of before a rotation of the pepper: the package's hash, which everybody who sees the
   * export may know, and a keyed hash of the access, which only its own answers contain.
   */
  #etagsOf({ access_id }: AccessRow, { package_sha256 }: PackagedExport): readonly string[] {
    return this.#context.keyedHash.hashes("etag", access_id).map((hash) => `"${package_sha256}.${hash}"`);
  }

  async #find({ exportId, ticket }: DownloadRequest) {
    const { database, clock, keyedHash } = this.#context;
    return database.read(async (reader) => {
      const access = await findTicket(reader, keyedHash.hashes("ticket", ticket));
      // The export is looked up in any case, so that an unknown ticket takes as long to refuse as one of another
      // export.
      const row = await findExport(reader, access?.tenant_id ?? "", exportId);
      if (access === null || row === null || access.export_id !== exportId)
        throw new ServiceError(
          "ticket_invalid",
          "This is no ticket for this export. Get one from POST /v1/exports/{id}/download/prepare, and use the " +
            "path that it answers.",
        );
      if (access.expires_at <= serviceTime(clock()))
        throw new ServiceError(
          "ticket_expired",
          `The ticket's time was over at ${access.expires_at}. Prepare another download; it can go on where this ` +
            `one stopped, with Range and If-Range.`,
        );
      return { access, row: requireReady(row), isLacking: await lacksQuorum(reader, exportId) };
    });
  }

  /** Opens the file of a package. A package whose file is gone or has another size is marked as lost. */
  async #openFile(row: PackagedExport): Promise<OpenPackage> {
    const file = await this.#files.open(row);
    if (file !== null && file.sizeBytes === row.size_bytes) return file;
    await file?.close();
    await this.#records.lose(row);
    throw gone({ ...row, deleted_because: "lost" });
  }
}

/** Returns whether an If-Range names the package: by its hash, or by the ETag of any access to it. */
function isEtagOf({ package_sha256 }: PackagedExport, ifRange: string | null): boolean {
  const [, hash] = /^"([0-9a-f]{64})(?:\.[0-9a-f]{64})?"$/.exec(ifRange ?? "") ?? [];
  return hash === package_sha256;
}
