/**
 * The end of a package, and the effect of an erasure on packages: a package with an erased payload is deleted, and one
 * that is being built is built again without it. The row changes at once, in the transaction of the cause; the file
 * follows within a moment.
 */

import type { RecordChange } from "@svc/host/administration";
import type { Principal } from "@svc/host/principal";
import type { Writer } from "@svc/host/store";
import { recordBeside } from "../tenancy/administration.ts";
import { exportDeleted } from "./events.ts";
import { type DeletionReason, type ExportRow, exportsWithPayload, markDeleted, requeue } from "./exports-store.ts";

/**
 * Marks an export as deleted, in a transaction of the caller, and logs the actor; one that is deleted already stays as
 * it is.
 */
export async function deleteExport(
  writer: Writer,
  actor: Principal,
  { export_id }: ExportRow,
  because: DeletionReason,
  now: string,
  record: RecordChange = recordBeside(writer),
): Promise<void> {
  if (await markDeleted(writer, export_id, because, now))
    await record(actor, { type: exportDeleted, objectId: export_id, before: null, after: { because } }, now);
}

/** Marks an export whose file is gone, such as after a restore, in the service's own name. */
export function loseExport(
  writer: Writer,
  row: ExportRow,
  now: string,
  record: RecordChange = recordBeside(writer),
): Promise<void> {
  return deleteExport(writer, serviceOf(row), row, "lost", now, record);
}

/** Returns the principal as which the service itself acts in the tenant of an export. */
export function serviceOf({ tenant_id }: ExportRow): Principal {
  return { tenantId: tenant_id, kind: "service", id: "svc-server", roles: [] };
}

/** Ensures that no package keeps the payload of an event, in the transaction that erases it. */
export async function withdrawPayload(
  writer: Writer,
  actor: Principal,
  { stream_id, seq_no }: { readonly stream_id: string; readonly seq_no: number },
  now: string,
  record: RecordChange = recordBeside(writer),
): Promise<void> {
  for (const row of await exportsWithPayload(writer, actor.tenantId, stream_id, seq_no))
    if (row.state === "ready") await deleteExport(writer, actor, row, "payload_erased", now, record);
    else await requeue(writer, row, { attempts: 0 });
}
