/** The records of downloads: their tickets, their accesses in the lifecycle stream, and how they go on. */
import { randomBytes } from "node:crypto";
import { MAX_DOWNLOAD_RESUMPTIONS, MAX_TICKET_SECONDS } from "@svc/api/limits";
import { serviceTime } from "@svc/host/clock";
import { ServiceError } from "@svc/host/errors";
import type { Part } from "@svc/host/http/byte-range";
import { part } from "@svc/host/parts";
import type { Principal } from "@svc/host/principal";
import type { Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import { newId } from "../ids.ts";
import { recordLifecycle } from "../lifecycle/lifecycle-stream.ts";
import { recorded } from "../streams/recorded.ts";
import { accessesTo, recordAccess } from "../tenancy/access-log-store.ts";
import { type AccessRow, insertTicket, useTicket } from "./accesses-store.ts";
import { deleteExport } from "./delete-export.ts";
import { packageAccessed } from "./events.ts";
import { findExport } from "./exports-store.ts";
import { fileNameOf } from "./view.ts";
import { gone, type PackagedExport, requireReady, visibleExport } from "./visible-export.ts";

const TICKET_BYTES = 32;

/** Who receives a package: the address, and the User-Agent header or null. */
export interface Receiver {
  readonly address: string;
  readonly userAgent: string | null;
}

type Needs = Pick<
  Context,
  "administration" | "database" | "kernel" | "issuing" | "signingKey" | "clock" | "keyedHash" | "channel"
>;

/** Records the downloads of a deployment. */
export class DownloadRecords {
  readonly #context: Needs;

  constructor(context: Needs) {
    this.#context = context;
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

  /** Marks an export as lost: its file is gone, or has another size. */
  async lose(row: PackagedExport): Promise<void> {
    const { administration, clock } = this.#context;
    const actor: Principal = { tenantId: row.tenant_id, kind: "service", id: "svc-server", roles: [] };
    await administration.write((writer, record) =>
      deleteExport(writer, actor, row, "lost", serviceTime(clock()), record),
    );
  }

  /**
   * Records an access, before a byte of the package leaves. Rejects with `ticket_used`, and with `export_deleted` if
   * the package has gone meanwhile.
   */
  async access(access: AccessRow, row: PackagedExport, { address, userAgent }: Receiver): Promise<void> {
    const { database, keyedHash, clock, channel } = this.#context;
    const { access_id, export_id, tenant_id, actor_kind, actor_id } = access;
    const { package_sha256, manifest_sha256 } = row;
    const actor: Principal = { tenantId: tenant_id, kind: actor_kind, id: actor_id, roles: [] };
    const last = await database.write(async (writer) => {
      await requireStillReady(writer, row);
      const event = await recordLifecycle(writer, this.#context, actor, {
        type: packageAccessed,
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
      if (!(await useTicket(writer, access_id, event.stream_event_id))) throw ticketUsed();
      return event;
    });
    channel.publish(recorded, { last, isWindowFull: false });
  }

  /** Notes that a download continues. A ticket is for one download, so the number of continuations is limited. */
  async resumption(
    { access_id, export_id, tenant_id, actor_kind, actor_id }: AccessRow,
    row: PackagedExport,
    { address }: Receiver,
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
          `The download of this ticket has gone on ${MAX_DOWNLOAD_RESUMPTIONS} times, as often as it may. ` +
            `Prepare another one; it can go on where this one stopped, with Range and If-Range.`,
        );
      await recordAccess(writer, actor, "export.download_resumed", access_id, detail, serviceTime(clock()));
    });
  }
}

/** The records, as others call them. */
export const downloadRecordsPart = part("download records", (context: Context) => new DownloadRecords(context));

/**
 * Rejects with `export_deleted` for a package that was deleted or erased meanwhile, in the transaction that notes the
 * receiver: none of its bytes may leave any more.
 */
async function requireStillReady(writer: Writer, row: PackagedExport): Promise<void> {
  const now = await findExport(writer, row.tenant_id, row.export_id);
  if (now?.state !== "ready") throw gone(now ?? row);
}

/** Returns the refusal of a second use of a ticket. */
export function ticketUsed(): ServiceError {
  return new ServiceError(
    "ticket_used",
    "The ticket has been used. To go on with its download send Range, and in If-Range the ETag of its first " +
      "answer; otherwise prepare another one.",
  );
}
