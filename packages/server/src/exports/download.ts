/**
 * Downloads. A ticket opens one download of one package for a short time; it is the whole credential, so that a browser
 * can follow a link. Its first use is the access, recorded in the lifecycle stream before a byte leaves. An interrupted
 * download continues with the same ticket: by a request with Range and, in If-Range, the ETag of the first answer,
 * which appears nowhere else. Each continuation is noted in the audit log.
 */
import { randomBytes } from "node:crypto";
import { MAX_DOWNLOAD_RESUMPTIONS, MAX_TICKET_SECONDS } from "@svc/api/limits";
import { serviceTime } from "@svc/host/clock";
import { ServiceError } from "@svc/host/errors";
import { type Part, partOf } from "@svc/host/http/byte-range";
import type { Principal } from "@svc/host/principal";
import type { Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import { newId } from "../ids.ts";
import { recordLifecycle } from "../lifecycle/lifecycle-stream.ts";
import { recorded } from "../streams/recorded.ts";
import { accessesTo, recordAccess } from "../tenancy/access-log-store.ts";
import { type AccessRow, findTicket, insertTicket, useTicket } from "./accesses-store.ts";
import { deleteExport } from "./delete-export.ts";
import { findExport } from "./exports-store.ts";
import type { OpenPackage, PackageFiles } from "./package-files.ts";
import { fileNameOf } from "./view.ts";
import { gone, type PackagedExport, requireReady, visibleExport } from "./visible-export.ts";

const TICKET_BYTES = 32;

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
  readonly pieces: AsyncIterable<Uint8Array>;
}

type Needs = Pick<Context, "database" | "kernel" | "issuing" | "signingKey" | "clock" | "keyedHash" | "channel">;

/** Gives out the packages of a deployment. */
export class Downloads {
  readonly #context: Needs;
  readonly #files: PackageFiles;

  constructor(context: Needs, files: PackageFiles) {
    this.#context = context;
    this.#files = files;
  }

  /**
   * Makes a ticket, and resolves to the answer with it. The ticket itself is never stored. Rejects with the refusals of
   * `visibleExport` and `requireReady`.
   */
  async prepare(principal: Principal, exportId: string) {
    const { database, clock, keyedHash } = this.#context;
    const ticket = randomBytes(TICKET_BYTES).toString("base64url");
    const access_id = newId("tpa");
    return database.write(async (writer) => {
      const { row } = await visibleExport(writer, principal, exportId);
      const { package_sha256, size_bytes, challenge } = requireReady(row);
      const prepared_at = serviceTime(clock());
      const expires_at = serviceTime(clock() + MAX_TICKET_SECONDS * 1000);
      const ticket_mac = keyedHash.hash("ticket", ticket);
      await insertTicket(writer, principal, { access_id, export_id: exportId, ticket_mac, prepared_at, expires_at });
      await recordAccess(writer, principal, "export.download_prepared", exportId, { access_id }, prepared_at);
      return {
        access_id,
        ticket,
        path: `/v1/exports/${exportId}/download?ticket=${ticket}`,
        expires_at,
        file_name: fileNameOf(exportId),
        size_bytes,
        sha256: package_sha256,
        challenge,
      };
    });
  }

  /**
   * Opens a download. Records it if it is the first with its ticket, and notes its continuation if it is a later one.
   * Rejects with `ticket_invalid`, `ticket_expired`, `ticket_used`, `range_not_satisfiable` and the refusals of
   * `requireReady`. The caller must take all pieces, or end their iterator.
   */
  async open(request: DownloadRequest): Promise<Download> {
    const { access, row } = await this.#find(request);
    const { size_bytes: sizeBytes } = row;
    const etag = this.#etagOf(access, row);
    const isFirst = access.accessed_event_id === null;
    // A new ticket is an access of its own, also when it continues the download of another ticket.
    const isOfThis = isFirst ? isEtagOf(row, request.ifRange) : request.ifRange === etag;
    const part = request.ifRange === null || isOfThis ? partOf(request.range, sizeBytes) : null;
    if (!isFirst && (part === null || !isOfThis)) throw used();
    if (part === "unsatisfiable")
      throw new ServiceError(
        "range_not_satisfiable",
        `The package has ${sizeBytes} bytes, and the Range begins behind them. Ask for less, or without Range.`,
        { size_bytes: sizeBytes },
      );
    const file = await this.#openFile(row);
    const sent = part ?? { start: 0, end: sizeBytes - 1 };
    try {
      await (isFirst ? this.#record(access, row, request) : this.#noteResumption(access, row, request, sent));
    } catch (error) {
      await file.close();
      throw error;
    }
    const { access_id: accessId } = access;
    const { export_id, challenge } = row;
    return { part, sizeBytes, etag, fileName: fileNameOf(export_id), accessId, challenge, pieces: file.pieces(sent) };
  }

  /**
   * Returns the ETag: the package's hash, which everybody who sees the export may know, and a keyed hash of the access,
   * which only its own answers contain.
   */
  #etagOf({ access_id }: AccessRow, { package_sha256 }: PackagedExport): string {
    return `"${package_sha256}.${this.#context.keyedHash.hash("etag", access_id)}"`;
  }

  async #find({ exportId, ticket }: DownloadRequest): Promise<{ access: AccessRow; row: PackagedExport }> {
    const { database, clock, keyedHash } = this.#context;
    return database.read(async (reader) => {
      const access = await findTicket(reader, keyedHash.hash("ticket", ticket));
      // The export is looked up in any case, so that an unknown ticket takes as long to refuse as one of another
      // export.
      const row = await findExport(reader, access?.tenant_id ?? "", exportId);
      if (access === null || row === null || access.export_id !== exportId)
        throw new ServiceError(
          "ticket_invalid",
          "This is no ticket for this export. Get one from POST /v1/exports/{id}/download/prepare, and use the path that it answers.",
        );
      if (access.expires_at <= serviceTime(clock()))
        throw new ServiceError(
          "ticket_expired",
          `The ticket's time was over at ${access.expires_at}. Prepare another download; it can go on where this one stopped, with Range and If-Range.`,
        );
      return { access, row: requireReady(row) };
    });
  }

  /** Opens the file of a package. A package whose file is gone or has another size is marked as lost. */
  async #openFile(row: PackagedExport): Promise<OpenPackage> {
    const file = await this.#files.open(row);
    if (file !== null && file.sizeBytes === row.size_bytes) return file;
    await file?.close();
    const { database, clock } = this.#context;
    const actor: Principal = { tenantId: row.tenant_id, kind: "service", id: "svc-server", roles: [] };
    await database.write((writer) => deleteExport(writer, actor, row, "lost", serviceTime(clock())));
    throw gone({ ...row, deleted_because: "lost" });
  }

  async #record(access: AccessRow, row: PackagedExport, { address, userAgent }: DownloadRequest): Promise<void> {
    const { database, keyedHash, clock, channel } = this.#context;
    const { access_id, export_id, tenant_id, actor_kind, actor_id } = access;
    const { package_sha256, manifest_sha256 } = row;
    const actor: Principal = { tenantId: tenant_id, kind: actor_kind, id: actor_id, roles: [] };
    const last = await database.write(async (writer) => {
      await requireStillReady(writer, row);
      const event = await recordLifecycle(writer, this.#context, actor, {
        event_type: "truth_package.accessed",
        source_ref: export_id,
        payload: {
          access_id,
          export_id,
          package_sha256,
          manifest_sha256,
          accessed_at: serviceTime(clock()),
          actor: { kind: actor_kind, id: actor_id },
          method: "download",
          network: {
            address_hash: keyedHash.hash("address", address),
            user_agent_hash: userAgent === null ? null : keyedHash.hash("user-agent", userAgent),
          },
        },
      });
      if (!(await useTicket(writer, access_id, event.stream_event_id))) throw used();
      return event;
    });
    channel.publish(recorded, { last, appended: 0, isWindowFull: false });
  }

  /** Notes that a download continues. A ticket is for one download, so the number of continuations is limited. */
  async #noteResumption(
    { access_id, export_id, tenant_id, actor_kind, actor_id }: AccessRow,
    row: PackagedExport,
    { address }: DownloadRequest,
    { start: from_byte, end: to_byte }: Part,
  ): Promise<void> {
    const { database, keyedHash, clock } = this.#context;
    const actor: Principal = { tenantId: tenant_id, kind: actor_kind, id: actor_id, roles: [] };
    const detail = { export_id, from_byte, to_byte, address_hash: keyedHash.hash("address", address) };
    await database.write(async (writer) => {
      await requireStillReady(writer, row);
      if ((await accessesTo(writer, access_id, "export.download_resumed")) >= MAX_DOWNLOAD_RESUMPTIONS)
        throw new ServiceError(
          "ticket_used",
          `The download of this ticket has gone on ${MAX_DOWNLOAD_RESUMPTIONS} times, as often as it may. Prepare another one; it can go on where this one stopped, with Range and If-Range.`,
        );
      await recordAccess(writer, actor, "export.download_resumed", access_id, detail, serviceTime(clock()));
    });
  }
}

/** Returns whether an If-Range names the package: by its hash, or by the ETag of any access to it. */
function isEtagOf({ package_sha256 }: PackagedExport, ifRange: string | null): boolean {
  const [, hash] = /^"([0-9a-f]{64})(?:\.[0-9a-f]{64})?"$/.exec(ifRange ?? "") ?? [];
  return hash === package_sha256;
}

/**
 * Rejects with `export_deleted` for a package that was deleted or erased meanwhile, in the transaction that notes the
 * receiver: none of its bytes may leave any more.
 */
async function requireStillReady(writer: Writer, row: PackagedExport): Promise<void> {
  const now = await findExport(writer, row.tenant_id, row.export_id);
  if (now?.state !== "ready") throw gone(now ?? row);
}

function used(): ServiceError {
  return new ServiceError(
    "ticket_used",
    "The ticket has been used. To go on with its download send Range, and in If-Range the ETag of its first answer; otherwise prepare another one.",
  );
}
