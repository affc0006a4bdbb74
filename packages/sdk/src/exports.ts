/**
 * Exports of the service: truth packages, asked for, waited for, downloaded as a stream, and reported on. What is downloaded is verified by
 * nobody here: `verify` takes the bytes of a package too.
 */
import type { ReceiptRecord } from "@svc/core";
import { SvcError } from "./error.ts";
import { jsonOf } from "./json-of.ts";
import { type List, listOf, type PageRequest } from "./pages.ts";
import type { Receipts } from "./receipts/receipts.ts";
import { pause } from "./retry.ts";
import type { Transport, WriteOptions } from "./transport.ts";

/** How far an export has come. `failed` and `deleted` are final; a `ready` one becomes `deleted` when it expires. */
export type ExportState = "queued" | "building" | "ready" | "failed" | "deleted";

/** What an export is asked for: streams, systems or both. */
export interface ExportInput {
  readonly streams?: readonly string[];
  /** All of their streams. */
  readonly systems?: readonly string[];
  /** Only of a single stream that is named; both ends included. */
  readonly from_seq_no?: number;
  readonly to_seq_no?: number;
  /** RFC 3339 with an offset: received at this time or later, and before that one. */
  readonly received_from?: string;
  readonly received_before?: string;
  /** `included` where it is not given. */
  readonly payloads?: "included" | "redacted";
}

/** An export, and what is known of its package; that stays when the package is gone. */
export interface ExportInfo {
  readonly export_id: string;
  readonly state: ExportState;
  readonly payloads: "included" | "redacted";
  readonly events: number;
  readonly ranges: readonly { readonly stream_id: string; readonly from_seq_no: number; readonly to_seq_no: number }[];
  readonly created_at: string;
  readonly ready_at: string | null;
  readonly expires_at: string | null;
  readonly package: {
    readonly file_name: string;
    readonly size_bytes: number;
    readonly sha256: string;
    readonly manifest_sha256: string;
    readonly artifacts: number;
    readonly generated_event_id: string;
  } | null;
  readonly failure: { readonly failed_at: string; readonly code: string; readonly message: string } | null;
  readonly deletion: { readonly deleted_at: string; readonly because: string } | null;
}

/** A ticket for one download. */
export interface DownloadTicket {
  readonly access_id: string;
  readonly ticket: string;
  readonly path: string;
  readonly expires_at: string;
  readonly file_name: string;
  readonly size_bytes: number;
  readonly sha256: string;
  /** What a report on the access answers; null for a package that was built before there were challenges. */
  readonly challenge: string | null;
}

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

/** The body that `svc verify truth-package --report` writes. */
export interface PackageReport {
  readonly verifierKind: string;
  readonly verifierVersion: string;
  readonly accessId: string;
  /** The hex of the SHA-256 over the 64 characters of the challenge and then all bytes of the package: `possessionHasher` begins it. */
  readonly proof: string;
  readonly verificationReport: {
    readonly ok: boolean;
    readonly packageSha256: string;
    readonly manifestSha256: string | null;
    readonly verifiedArtifacts: number;
    readonly problems: readonly unknown[];
  };
}

/** A report that was recorded, with the event of the lifecycle stream. */
export interface RecordedVerification {
  readonly export_id: string;
  readonly access_id: string;
  readonly verified_at: string;
  readonly lifecycle_record: ReceiptRecord;
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
