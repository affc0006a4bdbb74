/** Events as they were received, hashed, chained and signed: all SQL about them. */
import type { HashHex, Kid, SignatureHex } from "@svc/core";
import type { Principal } from "@svc/host/principal";
import {
  type Condition,
  equal,
  expectMoved,
  type Filter,
  type IndexedFilter,
  type InsertInto,
  indexLead,
  type ListSql,
  type Reader,
  rowsOf,
  type Walked,
  type Writer,
  walk,
  written,
} from "@svc/host/store";
import type { StreamRow } from "./streams-store.ts";

/** The members of a receipt record, as columns. */
export interface EventRow {
  readonly stream_event_id: string;
  readonly stream_id: string;
  readonly seq_no: number;
  readonly source_ref: string;
  readonly event_type: string;
  readonly occurred_at: string;
  readonly received_at: string;
  /** J(payload); null after its erasure, as the salt is, and null without that if it is archived (archived/). */
  readonly payload: string | null;
  readonly payload_salt: string | null;
  readonly payload_hash: HashHex;
  readonly previous_event_hash: HashHex;
  readonly event_hash: HashHex;
  readonly stream_head_hash: HashHex;
  readonly receipt_kid: Kid;
  readonly receipt_signature: SignatureHex;
}

/** The members of an event from which windows and checkpoints are made. */
export type EventHashRow = Pick<
  EventRow,
  "stream_event_id" | "seq_no" | "previous_event_hash" | "event_hash" | "received_at"
>;

/** The columns of an event beside its record. */
export interface EventContext {
  readonly tenantId: string;
  readonly actor: Principal;
  readonly occurredAtUtc: string;
  readonly sourceTimezone: string | null;
  /** For an event of a log: the log's number, and the status in its payload. Null for any other event. */
  readonly eventLogNo: number | null;
  readonly status: string | null;
}

const COLUMNS = [
  "stream_event_id",
  "stream_id",
  "seq_no",
  "source_ref",
  "event_type",
  "occurred_at",
  "received_at",
  "payload",
  "payload_salt",
  "payload_hash",
  "previous_event_hash",
  "event_hash",
  "stream_head_hash",
  "receipt_kid",
  "receipt_signature",
] as const satisfies readonly (keyof EventRow)[];
const RECORD = COLUMNS.join(", ");
const REDACTED = RECORD.replace("payload, payload_salt,", "NULL AS payload, NULL AS payload_salt,");

const INTO: InsertInto = {
  table: "events",
  columns: [
    ...COLUMNS,
    "tenant_id",
    "occurred_at_utc",
    "source_timezone",
    "actor_kind",
    "actor_id",
    "event_log_no",
    "status",
  ],
};

/** Inserts events. The row and the context of each must agree with its stream; nothing here checks that. */
export async function insertEvents(
  writer: Writer,
  events: readonly { readonly row: EventRow; readonly context: EventContext }[],
): Promise<void> {
  if (events.length === 0) return;
  await writer.insert(
    INTO,
    events.map(({ row, context }) => [
      row.stream_event_id,
      row.stream_id,
      row.seq_no,
      row.source_ref,
      row.event_type,
      row.occurred_at,
      row.received_at,
      row.payload,
      row.payload_salt,
      row.payload_hash,
      row.previous_event_hash,
      row.event_hash,
      row.stream_head_hash,
      row.receipt_kid,
      row.receipt_signature,
      context.tenantId,
      context.occurredAtUtc,
      context.sourceTimezone,
      context.actor.kind,
      context.actor.id,
      context.eventLogNo,
      context.status,
    ]),
  );
}

/** Resolves to an event of this tenant, with class, system and use case of its stream, or null. */
export function findEvent(
  reader: Reader,
  tenantId: string,
  eventId: string,
): Promise<(EventRow & Pick<StreamRow, "system_id" | "class" | "use_case">) | null> {
  return reader.first(
    `SELECT ${qualified("e")}, s.system_id, s.class, s.use_case FROM events e JOIN streams s ON s.stream_id = e.stream_id
     WHERE e.tenant_id = $1 AND e.stream_event_id = $2`,
    tenantId,
    eventId,
  );
}

/**
 * Deletes payload and salt of an event for good, and the status that was taken from the payload. Rejects with
 * WriteConflict if the event does not exist.
 */
export async function erasePayload(writer: Writer, tenantId: string, eventId: string): Promise<void> {
  const changed = await writer.run(
    "UPDATE events SET payload = NULL, payload_salt = NULL, status = NULL WHERE tenant_id = $1 AND " +
      "stream_event_id = $2",
    tenantId,
    eventId,
  );
  expectMoved(changed, `the payload of ${eventId}`);
}

/** Resolves to the events of a range of this tenant's stream, both ends included, in order. */
export function eventsOfRange(
  reader: Reader,
  tenantId: string,
  streamId: string,
  fromSeqNo: number,
  toSeqNo: number,
): Promise<EventRow[]> {
  return reader.all<EventRow>(
    `SELECT ${RECORD} FROM events WHERE tenant_id = $1 AND stream_id = $2 AND seq_no >= $3 AND seq_no <= $4 ` +
      `ORDER BY seq_no`,
    tenantId,
    streamId,
    fromSeqNo,
    toSeqNo,
  );
}

/** Resolves to the same events without their payloads and salts. */
export function redactedEventsOfRange(
  reader: Reader,
  tenantId: string,
  streamId: string,
  fromSeqNo: number,
  toSeqNo: number,
): Promise<EventRow[]> {
  return reader.all<EventRow>(
    `SELECT ${REDACTED} FROM events WHERE tenant_id = $1 AND stream_id = $2 AND seq_no >= $3 AND seq_no <= $4 ` +
      `ORDER BY seq_no`,
    tenantId,
    streamId,
    fromSeqNo,
    toSeqNo,
  );
}

/** Resolves to the ids of the events of a range of this tenant's stream, in order. */
export async function eventIdsOfRange(
  reader: Reader,
  tenantId: string,
  streamId: string,
  fromSeqNo: number,
  toSeqNo: number,
): Promise<string[]> {
  const rows = await reader.all<{ stream_event_id: string }>(
    "SELECT stream_event_id FROM events WHERE tenant_id = $1 AND stream_id = $2 AND seq_no >= $3 AND seq_no <= " +
      "$4 ORDER BY seq_no",
    tenantId,
    streamId,
    fromSeqNo,
    toSeqNo,
  );
  return rows.map(({ stream_event_id }) => stream_event_id);
}

/** Resolves to the time at which an event was received; null if there is no such event. */
export async function receivedAtOf(reader: Reader, streamId: string, seqNo: number): Promise<string | null> {
  const sql = "SELECT received_at FROM events WHERE stream_id = $1 AND seq_no = $2";
  return (await reader.first<Pick<EventRow, "received_at">>(sql, streamId, seqNo))?.received_at ?? null;
}

/** The payload of an event with its salt and its hash, as its row has them. */
export type PayloadRow = Pick<
  EventRow,
  "stream_event_id" | "stream_id" | "seq_no" | "payload" | "payload_salt" | "payload_hash"
>;
const PAYLOAD = "stream_event_id, stream_id, seq_no, payload, payload_salt, payload_hash";

/** Resolves to the payloads of a range of this tenant's stream that are not erased, in order. */
export function payloadsOf(
  reader: Reader,
  tenantId: string,
  streamId: string,
  fromSeqNo: number,
  toSeqNo: number,
): Promise<PayloadRow[]> {
  return reader.all<PayloadRow>(
    `SELECT ${PAYLOAD} FROM events
     WHERE tenant_id = $1 AND stream_id = $2 AND seq_no >= $3 AND seq_no <= $4 AND payload_salt IS NOT NULL ORDER BY seq_no`,
    tenantId,
    streamId,
    fromSeqNo,
    toSeqNo,
  );
}

/** Resolves to the hashes of all payloads of a range of a stream, in order. */
export function payloadHashesOfRange(
  reader: Reader,
  streamId: string,
  fromSeqNo: number,
  toSeqNo: number,
): Promise<Pick<EventRow, "stream_event_id" | "seq_no" | "payload_hash">[]> {
  return reader.all(
    `SELECT stream_event_id, seq_no, payload_hash FROM events
     WHERE stream_id = $1 AND seq_no >= $2 AND seq_no <= $3 ORDER BY seq_no`,
    streamId,
    fromSeqNo,
    toSeqNo,
  );
}

/** The filters of a list of events; null for any. */
export interface EventFilter {
  readonly eventType: string | null;
  readonly sourceRef: string | null;
}

/** The columns and the order of every list of events. */
const LIST: ListSql<EventRow> = {
  columns: RECORD,
  from: "events",
  key: ["seq_no"],
  placeOf: ({ seq_no }) => [seq_no],
};

/**
 * Resolves to the events of a stream behind a number, in order: `most` at most, and no more than a bounded walk finds.
 */
export function eventsAfter(
  reader: Reader,
  { tenant_id, stream_id, event_log_no }: Pick<StreamRow, "tenant_id" | "stream_id" | "event_log_no">,
  { eventType, sourceRef }: EventFilter,
  { afterSeqNo, most }: { readonly afterSeqNo: number; readonly most: number },
): Promise<Walked<EventRow>> {
  const ofStream: Condition = (place) => `stream_id = ${place(stream_id)}`;
  const ofTenant: Condition = (place) => `tenant_id = ${place(tenant_id)}`;
  const byType = eventType === null ? [] : [equal("event_type", eventType)];
  const byRef = sourceRef === null ? [] : [equal("source_ref", sourceRef)];
  const lead = (within: readonly Condition[], led: readonly IndexedFilter[], kept: readonly Filter[]) =>
    indexLead(reader, LIST, { within: [ofStream, ...within], led, kept, also: [ofTenant] });
  // The events of logs have another index by type.
  const ofIndex: Condition = () => `event_log_no IS ${event_log_no === null ? "" : "NOT "}NULL`;
  const leads = [
    ...(sourceRef === null ? [] : [lead([], byRef, byType)]),
    ...(eventType === null ? [] : [lead([ofIndex], byType, byRef)]),
  ];
  return walk(LIST, leads.length === 0 ? [lead([], [], [])] : leads, { after: [afterSeqNo], most });
}

/** Resolves to the hashes of events of different streams, as far as there are such events, by stream. */
export async function hashesOf(
  reader: Reader,
  places: readonly Pick<EventRow, "stream_id" | "seq_no">[],
): Promise<ReadonlyMap<string, HashHex>> {
  if (places.length === 0) return new Map();
  const pairs = places.map(({ stream_id, seq_no }) => [stream_id, seq_no]);
  const { sql, values } = written(
    (place) =>
      // Each event is looked up by itself: for a join, PostgreSQL may read the whole table, because it does not foresee
      // that each lookup concerns one partition only.
      `SELECT v.column1 AS stream_id,
         (SELECT e.event_hash FROM events e WHERE e.stream_id = v.column1 AND e.seq_no = v.column2) AS event_hash
       FROM ${rowsOf(["TEXT", "BIGINT"], pairs)(place)} AS v`,
  );
  const rows = await reader.all<{ readonly stream_id: string; readonly event_hash: HashHex | null }>(sql, ...values);
  return new Map(rows.flatMap(({ stream_id, event_hash }) => (event_hash === null ? [] : [[stream_id, event_hash]])));
}

/** Resolves to hash, link and time of each event of a range, in order: a window is made from these. */
export function hashesOfRange(
  reader: Reader,
  streamId: string,
  fromSeqNo: number,
  toSeqNo: number,
): Promise<EventHashRow[]> {
  return reader.all<EventHashRow>(
    `SELECT stream_event_id, seq_no, previous_event_hash, event_hash, received_at FROM events
     WHERE stream_id = $1 AND seq_no >= $2 AND seq_no <= $3 ORDER BY seq_no`,
    streamId,
    fromSeqNo,
    toSeqNo,
  );
}

function qualified(alias: string): string {
  return COLUMNS.map((column) => `${alias}.${column}`).join(", ");
}
