/**
 * Tickets, the accesses that used them, and the reports on those: all SQL about them. Tickets are here only as keyed
 * hashes.
 */

import type { Principal } from "@svc/host/principal";
import { inList, type Reader, type Writer, written } from "@svc/host/store";

/** A ticket; once it is used, an access. */
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

/** Inserts a ticket. `ticket_mac`: 64 hex characters; times: service times. */
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

/** Resolves to the access of a ticket with one of these hashes, used or not; null for an unknown ticket. */
export function findTicket(reader: Reader, ticketMacs: readonly string[]): Promise<AccessRow | null> {
  const { sql, values } = written(
    (place) => `SELECT * FROM export_accesses WHERE ${inList("ticket_mac", ticketMacs)(place)}`,
  );
  return reader.first<AccessRow>(sql, ...values);
}

/** Resolves to the end of the last ticket that was made up to a time and has not ended by now; null for none. */
export async function lastTicketUpTo(reader: Reader, time: string, now: string): Promise<string | null> {
  const sql = "SELECT MAX(expires_at) AS ends_at FROM export_accesses WHERE prepared_at <= $1 AND expires_at > $2";
  return (await reader.first<{ ends_at: string | null }>(sql, time, now))?.ends_at ?? null;
}

/** Resolves to an access to an export; null if it is missing, or its ticket was never used. */
export function findAccess(reader: Reader, exportId: string, accessId: string): Promise<AccessRow | null> {
  return reader.first<AccessRow>(
    "SELECT * FROM export_accesses WHERE export_id = $1 AND access_id = $2 AND accessed_event_id IS NOT NULL",
    exportId,
    accessId,
  );
}

/** Marks a ticket as used by the event that records it. Resolves to false if it was used before. */
export async function useTicket(writer: Writer, accessId: string, eventId: string): Promise<boolean> {
  const changed = await writer.run(
    "UPDATE export_accesses SET accessed_event_id = $1 WHERE access_id = $2 AND accessed_event_id IS NULL",
    eventId,
    accessId,
  );
  return changed === 1;
}

/** Resolves to whether any ticket expired unused before a time. */
export async function anyTicketBefore(reader: Reader, time: string): Promise<boolean> {
  const sql = "SELECT 1 FROM export_accesses WHERE accessed_event_id IS NULL AND expires_at < $1 LIMIT 1";
  return (await reader.first(sql, time)) !== null;
}

/** Removes tickets that expired unused before a time, `most` at most. */
export async function removeTicketsBefore(writer: Writer, time: string, most: number): Promise<void> {
  await writer.run(
    `DELETE FROM export_accesses WHERE access_id IN
       (SELECT access_id FROM export_accesses WHERE accessed_event_id IS NULL AND expires_at < $1 LIMIT $2)`,
    time,
    most,
  );
}

/** A verifier, and the access by which it got the package. */
export interface Verification {
  readonly accessId: string;
  readonly verifierKind: string;
  readonly verifierVersion: string;
}

/** Resolves to the id of the lifecycle event that records a verification, or null. */
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

/** Resolves to the number of recorded verifiers of an access. */
export async function verifiersOf(reader: Reader, accessId: string): Promise<number> {
  const sql = "SELECT COUNT(*) AS verifiers FROM export_verifications WHERE access_id = $1";
  return Number((await reader.first<{ verifiers: number }>(sql, accessId))?.verifiers ?? 0);
}

/** Inserts a verification with the event that records it. */
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
