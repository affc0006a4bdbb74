/** Tickets, the accesses that they became, and the reports on them: all SQL about them. Tickets are here only as keyed hashes. */

import type { Principal } from "@svc/host/principal";
import type { Reader, Writer } from "@svc/host/store";

export interface AccessRow {
  readonly access_id: string;
  readonly export_id: string;
  readonly tenant_id: string;
  readonly actor_kind: Principal["kind"];
  readonly actor_id: string;
  readonly ticket_mac: string;
  readonly prepared_at: string;
  readonly expires_at: string;
  /** The event of the lifecycle stream that records the access; null until the ticket is used. */
  readonly accessed_event_id: string | null;
}

export async function insertTicket(
  writer: Writer,
  actor: Principal,
  row: Pick<AccessRow, "access_id" | "export_id" | "ticket_mac" | "prepared_at" | "expires_at">,
): Promise<void> {
  await writer.run(
    `INSERT INTO export_accesses (access_id, export_id, tenant_id, actor_kind, actor_id, ticket_mac, prepared_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    row.access_id,
    row.export_id,
    actor.tenantId,
    actor.kind,
    actor.id,
    row.ticket_mac,
    row.prepared_at,
    row.expires_at,
  );
}

/** The access that a ticket stands for; null for a ticket that was never given out. */
export function findTicket(reader: Reader, ticketMac: string): Promise<AccessRow | null> {
  return reader.first<AccessRow>("SELECT * FROM export_accesses WHERE ticket_mac = $1", ticketMac);
}

/** An access to an export; null where there is none, or its ticket was never used. */
export function findAccess(reader: Reader, exportId: string, accessId: string): Promise<AccessRow | null> {
  return reader.first<AccessRow>(
    "SELECT * FROM export_accesses WHERE export_id = $1 AND access_id = $2 AND accessed_event_id IS NOT NULL",
    exportId,
    accessId,
  );
}

/** Notes that a ticket was used. Answers false where it had been before. */
export async function useTicket(writer: Writer, accessId: string, eventId: string): Promise<boolean> {
  const changed = await writer.run(
    "UPDATE export_accesses SET accessed_event_id = $1 WHERE access_id = $2 AND accessed_event_id IS NULL",
    eventId,
    accessId,
  );
  return changed === 1;
}

/** Whether a ticket that was never used ended before a time. */
export async function anyTicketBefore(reader: Reader, time: string): Promise<boolean> {
  const sql = "SELECT 1 FROM export_accesses WHERE accessed_event_id IS NULL AND expires_at < $1 LIMIT 1";
  return (await reader.first(sql, time)) !== null;
}

/** Removes tickets that ended before a time and were never used, so many at most. */
export async function removeTicketsBefore(writer: Writer, time: string, most: number): Promise<void> {
  await writer.run(
    `DELETE FROM export_accesses WHERE access_id IN
       (SELECT access_id FROM export_accesses WHERE accessed_event_id IS NULL AND expires_at < $1 LIMIT $2)`,
    time,
    most,
  );
}

/** Who verified, by which access. */
export interface Verification {
  readonly accessId: string;
  readonly verifierKind: string;
  readonly verifierVersion: string;
}

/** The lifecycle event that records a verification; null where there is none yet. */
export async function findVerification(
  reader: Reader,
  { accessId, verifierKind, verifierVersion }: Verification,
): Promise<string | null> {
  const row = await reader.first<{ verified_event_id: string }>(
    `SELECT verified_event_id FROM export_verifications
     WHERE access_id = $1 AND verifier_kind = $2 AND verifier_version = $3`,
    accessId,
    verifierKind,
    verifierVersion,
  );
  return row?.verified_event_id ?? null;
}

/** How many verifiers of an access have been recorded. */
export async function verifiersOf(reader: Reader, accessId: string): Promise<number> {
  const sql = "SELECT COUNT(*) AS verifiers FROM export_verifications WHERE access_id = $1";
  return Number((await reader.first<{ verifiers: number }>(sql, accessId))?.verifiers ?? 0);
}

export async function insertVerification(
  writer: Writer,
  tenantId: string,
  { accessId, verifierKind, verifierVersion }: Verification,
  eventId: string,
): Promise<void> {
  await writer.run(
    `INSERT INTO export_verifications (access_id, verifier_kind, verifier_version, tenant_id, verified_event_id)
     VALUES ($1, $2, $3, $4, $5)`,
    accessId,
    verifierKind,
    verifierVersion,
    tenantId,
    eventId,
  );
}
