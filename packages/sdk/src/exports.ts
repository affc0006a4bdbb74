/**
 * Exports of the service: ask for truth packages, wait for them, download them as a stream, and report on them. Nothing
 * here verifies a download: `verify` takes the bytes of a package too.
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

/** A download that has begun. */
export interface PackageDownload {
  /** The id of the access: `svc verify truth-package --access-id` and `reportVerification` take it. */
  readonly accessId: string;
  /**
   * The challenge that the `proof` of a report answers: the SHA-256 over these 64 characters and then all bytes of the
   * package. Null if the service gave none.
   */
  readonly challenge: string | null;
  readonly fileName: string;
  /** The size of the whole package, in bytes. */
  readonly sizeBytes: number;
  /** The SHA-256 of the whole package, as the service states it; nothing here compares the stream with it. */
  readonly sha256: string;
  /** The bytes from `fromByte` on. The stream ends with an error if the connection breaks. */
  readonly stream: ReadableStream<Uint8Array>;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Exports of truth packages: `client.exports`. Its methods reject with SvcError; SvcClient lists the codes of every
 * call.
 */
export class ExportsClient {
  readonly #transport: Transport;
  readonly #receipts: Receipts;

  /** @internal */
  constructor(transport: Transport, receipts: Receipts) {
    this.#transport = transport;
    this.#receipts = receipts;
  }

  /**
   * Asks for a package, and only one if the request is repeated. `input`: streams or systems, and optionally a range or
   * a time. `options.idempotencyKey`: under the same key you get the same export. Resolves to the export, queued.
   * Codes: `system_forbidden`, `stream_forbidden`, `stream_not_found`, `timezone_required`, `range_too_large`,
   * `export_empty`, `too_many_exports`, `idempotency_conflict`.
   *
   * @example
   * const { export_id } = await client.exports.create({ streams: [stream.streamId] });
   * const { state } = await client.exports.whenReady(export_id);
   * console.log(state); // ready
   */
  create(input: ExportInput, options: WriteOptions = {}): Promise<ExportInfo> {
    return this.#transport.write("/v1/exports", input, options);
  }

  /**
   * Lists the exports of the key's system, in the order in which they were made. `filter.state`: only exports in this
   * state.
   *
   * @example
   * await client.exports.create({ streams: [stream.streamId], from_seq_no: 2, to_seq_no: 2 });
   * const all: string[] = [];
   * for await (const { ranges } of client.exports.list()) all.push(...ranges.map(({ stream_id }) => stream_id));
   * console.log(all.includes(stream.streamId)); // true
   */
  list(filter: PageRequest & { readonly state?: ExportState } = {}, signal?: AbortSignal): List<ExportInfo> {
    return listOf(this.#transport, "/v1/exports", { ...filter }, signal);
  }

  /**
   * Resolves to one export. `exportId`: its `export_id`. Codes: `export_forbidden`, `export_not_found`.
   *
   * @example
   * const { export_id } = await client.exports.create({ streams: [stream.streamId] });
   * console.log((await client.exports.get(export_id)).events); // 3
   */
  get(exportId: string, signal?: AbortSignal): Promise<ExportInfo> {
    return this.#transport.json({ method: "GET", path: pathOf(exportId), signal });
  }

  /**
   * Waits until the package is built, and resolves to the export. `exportId`: its `export_id`. Codes: those of `get`,
   * `export_deleted`, and the reason why a package could not be built.
   *
   * @example
   * const { export_id } = await client.exports.create({ streams: [stream.streamId] });
   * console.log((await client.exports.whenReady(export_id)).package?.artifacts); // 3
   */
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

  /**
   * Deletes the package; the service keeps its record of it. Deleting it again changes nothing. Resolves to the export.
   * `exportId`: its `export_id`. Codes: `export_forbidden`, `export_not_found`.
   *
   * @example
   * const { export_id } = await client.exports.create({ streams: [stream.streamId] });
   * console.log((await client.exports.delete(export_id)).deletion?.because); // requested
   */
  delete(exportId: string, signal?: AbortSignal): Promise<ExportInfo> {
    return this.#transport.json({ method: "DELETE", path: pathOf(exportId), signal });
  }

  /**
   * Resolves to a ticket for one download, which a browser can use without a key. `exportId`: its `export_id`. Codes:
   * `export_forbidden`, `export_not_found`, `export_not_ready`, `export_failed`, `export_deleted`.
   *
   * @example
   * const { export_id } = await client.exports.create({ streams: [stream.streamId] });
   * await client.exports.whenReady(export_id);
   * const { path } = await client.exports.prepareDownload(export_id);
   * console.log((await fetch(service.baseUrl + path)).status); // 200
   */
  prepareDownload(exportId: string, signal?: AbortSignal): Promise<DownloadTicket> {
    return this.#transport.json({ method: "POST", path: `${pathOf(exportId)}/download/prepare`, signal });
  }

  /**
   * Downloads a package, as a new access with a new ticket. Resolves when the answer begins. `exportId`: its
   * `export_id`. `fromByte`: how many bytes you have already, from a download that broke off. Codes: those of
   * `prepareDownload`, `ticket_invalid`, `ticket_expired`, `ticket_used`, `range_not_satisfiable`.
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
   * Tells the service that a package has verified. It records a report that matches its package and proves, by `proof`,
   * that the reporter holds the package; it refuses all others. Resolves to the record of it, whose lifecycle event has
   * been checked. `exportId`: its `export_id`. `report`: as `svc verify truth-package --report` writes it. Codes: those
   * of `prepareDownload`, `challenge_missing`, `report_not_ok`, `report_mismatch`, `too_many_verifiers`; rejects with
   * VerificationError for a lifecycle event that does not hold.
   *
   * @example
   * const { export_id } = await client.exports.create({ streams: [stream.streamId] });
   * const info = await client.exports.whenReady(export_id);
   * const { accessId, challenge, sha256, stream: bytes } = await client.exports.download(export_id);
   * const archive = new Uint8Array(await new Response(bytes).arrayBuffer());
   * const hasher = possessionHasher(selectKernel(), challenge ?? "");
   * hasher.update(archive);
   * const { lifecycle_record } = await client.exports.reportVerification(export_id, {
   *   verifierKind: "example",
   *   verifierVersion: "1",
   *   accessId,
   *   proof: Buffer.from(hasher.digest()).toString("hex"),
   *   verificationReport: {
   *     ok: verify(archive, { trust }).ok,
   *     packageSha256: sha256,
   *     manifestSha256: info.package?.manifest_sha256 ?? null,
   *     verifiedArtifacts: info.package?.artifacts ?? 0,
   *     problems: [],
   *   },
   * });
   * console.log(lifecycle_record.event_type); // truth_package.verified
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
