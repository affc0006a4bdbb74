/**
 * Exports of the service: truth packages, asked for, waited for, downloaded as a stream, and reported on. What is downloaded is verified by
 * nobody here: `verify` takes the bytes of a package too.
 */
import type {
  DownloadTicket,
  ExportInfo,
  ExportInput,
  ExportState,
  PackageReport,
  RecordedVerification,
} from "@svc/api";
import { SvcError } from "./error.ts";
import { jsonOf } from "./json-of.ts";
import { type List, listOf, type PageRequest } from "./pages.ts";
import type { Receipts } from "./receipts/receipts.ts";
import { pause } from "./retry.ts";
import type { Transport, WriteOptions } from "./transport.ts";

/** A package on its way. */
export interface PackageDownload {
  /** Names the access: `svc verify truth-package --access-id` and `reportVerification` take it. */
  readonly accessId: string;
  /** What the `proof` of a report answers: the SHA-256 over these 64 characters and then all bytes of the package. Null where there is none. */
  readonly challenge: string | null;
  readonly fileName: string;
  /** Of the whole package. */
  readonly sizeBytes: number;
  /** Of the whole package, as the service states it; the stream is not held against it here. */
  readonly sha256: string;
  /** The bytes from `fromByte` on. It ends with an error where the connection breaks off. */
  readonly stream: ReadableStream<Uint8Array>;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Exports of truth packages, as `client.exports`. Its methods throw SvcError. */
export class ExportsClient {
  readonly #transport: Transport;
  readonly #receipts: Receipts;

  /** @internal */
  constructor(transport: Transport, receipts: Receipts) {
    this.#transport = transport;
    this.#receipts = receipts;
  }

  /**
   * Asks for a package; for one, however often the request is repeated.
   *
   * @example
   * const { export_id } = await client.exports.create({ streams: [stream.streamId] });
   * const { state } = await client.exports.whenReady(export_id);
   * console.log(state); // ready
   */
  create(input: ExportInput, options: WriteOptions = {}): Promise<ExportInfo> {
    return this.#transport.write("/v1/exports", input, options);
  }

  /** The exports of the key's system, in the order in which they were made. */
  list(filter: PageRequest & { readonly state?: ExportState } = {}, signal?: AbortSignal): List<ExportInfo> {
    return listOf(this.#transport, "/v1/exports", { ...filter }, signal);
  }

  /** One export. Throws SvcError `export_not_found`. */
  get(exportId: string, signal?: AbortSignal): Promise<ExportInfo> {
    return this.#transport.json({ method: "GET", path: pathOf(exportId), signal });
  }

  /** Waits until the package is built. Throws SvcError with the reason where it cannot be, or is deleted. */
  async whenReady(exportId: string, signal?: AbortSignal): Promise<ExportInfo> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const info = await this.get(exportId, signal);
      if (info.state === "ready") return info;
      const { failure, deletion } = info;
      if (failure !== null) throw new SvcError(failure.code, failure.message, 200, { detail: failure });
      if (deletion !== null)
        throw new SvcError("export_deleted", `Export ${exportId} is deleted (${deletion.because}).`, 200, {
          detail: deletion,
        });
      await pause(pauseMs, signal);
    }
  }

  /** Deletes the package; what is known of it stays. */
  delete(exportId: string, signal?: AbortSignal): Promise<ExportInfo> {
    return this.#transport.json({ method: "DELETE", path: pathOf(exportId), signal });
  }

  /** A ticket for one download, such as a browser can follow without a key. */
  prepareDownload(exportId: string, signal?: AbortSignal): Promise<DownloadTicket> {
    return this.#transport.json({ method: "POST", path: `${pathOf(exportId)}/download/prepare`, signal });
  }

  /**
   * Downloads a package: an access of its own, with a ticket of its own. `fromByte`: how many bytes of it are here already, from a download that
   * broke off.
   *
   * @example
   * const { export_id } = await client.exports.create({ streams: [stream.streamId] });
   * await client.exports.whenReady(export_id);
   * const download = await client.exports.download(export_id);
   * console.log((await verifyFrom(download.stream, { trust })).verdict); // verified
   */
  async download(
    exportId: string,
    { fromByte = 0, signal }: { readonly fromByte?: number; readonly signal?: AbortSignal } = {},
  ): Promise<PackageDownload> {
    const ticket = await this.prepareDownload(exportId, signal);
    const { path, access_id, challenge, file_name, size_bytes, sha256 } = ticket;
    const range = fromByte === 0 ? {} : { range: `bytes=${fromByte}-`, "if-range": `"${sha256}"` };
    const stream = await this.#transport.stream({ path, headers: range, status: fromByte === 0 ? 200 : 206, signal });
    return { accessId: access_id, challenge, fileName: file_name, sizeBytes: size_bytes, sha256, stream };
  }

  /**
   * Tells the service that a package has verified. It records what matches the package that it handed out and shows, by its proof, that the
   * package is held; it refuses the rest.
   */
  async reportVerification(
    exportId: string,
    report: PackageReport,
    signal?: AbortSignal,
  ): Promise<RecordedVerification> {
    const path = `${pathOf(exportId)}/truth-package/verify`;
    const body = jsonOf(report);
    const recorded = await this.#transport.json<RecordedVerification>({ method: "POST", path, body, signal });
    await this.#receipts.checkLifecycle(recorded.lifecycle_record, "truth_package.verified", recorded, signal);
    return recorded;
  }
}

function pathOf(exportId: string): string {
  return `/v1/exports/${encodeURIComponent(exportId)}`;
}
