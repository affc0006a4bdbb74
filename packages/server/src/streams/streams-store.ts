/**
 * Streams: all SQL about them, which makes the file long. The head, the windows and the checkpoints move by
 * compare-and-set, so two writers cannot fork a stream.
 */
import type { HashHex, Kernel } from "@svc/core";
import { latest } from "@svc/host/clock";
import {
  type Condition,
  equal,
  expectMoved,
  type Filter,
  type IndexedFilter,
  indexLead,
  type ListSql,
  merged,
  type Reader,
  rowsOf,
  type SqlValue,
  type Walked,
  WriteConflict,
  type Writer,
  walk,
  where,
  written,
} from "@svc/host/store";

/** A stream with everything that appending and sealing need of it. */
export interface StreamRow {
  readonly stream_id: string;
  readonly tenant_id: string;
  readonly system_id: string | null;
  readonly class: "legacy" | "provenance" | "lifecycle";
  /** In words; that of a lifecycle stream tells its purpose. */
  readonly use_case: string;
  readonly policy_id: string;
  readonly source_timezone: string | null;
  readonly created_at: string;
  readonly head_seq_no: number;
  readonly head_event_hash: HashHex;
  readonly last_received_at: string | null;
  readonly unwindowed_since: string | null;
  readonly windowed_to_seq_no: number;
  /** The last event whose proofs somebody waits for; 0 for none. */
  readonly seal_demanded_to: number;
  readonly window_count: number;
  readonly checkpointed_window_count: number;
  readonly checkpointed_to_seq_no: number;
  /**
   * The latest time in its windows and checkpoints; null if it has none. A later event is never given an earlier time.
   */
  readonly last_sealed_at: string | null;
  /** When it stopped taking anything for good; null for an open stream. */
  readonly closed_at: string | null;
  /** Its number among the event logs of its system, from 1; null if it is no log. */
  readonly event_log_no: number | null;
}

/** A stream to be made. */
export interface NewStream {
  readonly stream_id: string;
  readonly tenant_id: string;
  /** Null for a lifecycle stream, which belongs to the tenant. */
  readonly system_id: string | null;
  readonly class: "legacy" | "lifecycle";
  readonly use_case: string;
  readonly policy_id: string;
  readonly policy_explicit: boolean;
  readonly metadata: string;
  readonly created_at: string;
  readonly actor_id: string;
  readonly head_event_hash: HashHex;
  /** Null by default. */
  readonly event_log_no?: number | null;
}

/** Inserts a stream without events. */
export async function insertStream(writer: Writer, stream: NewStream): Promise<void> {
  await writer.run(
    `INSERT INTO streams (stream_id, tenant_id, system_id, class, use_case, policy_id, policy_explicit, metadata, created_at, actor_id,
       head_seq_no, head_event_hash, windowed_to_seq_no, window_count, checkpointed_window_count, checkpointed_to_seq_no,
       event_log_no)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, $11, 0, 0, 0, 0, $12)`,
    stream.stream_id,
    stream.tenant_id,
    stream.system_id,
    stream.class,
    stream.use_case,
    stream.policy_id,
    Number(stream.policy_explicit),
    stream.metadata,
    stream.created_at,
    stream.actor_id,
    stream.head_event_hash,
    stream.event_log_no ?? null,
  );
}

const WHOLE = `SELECT s.*, COALESCE(y.source_timezone, t.time_zone) AS source_timezone FROM streams s
  JOIN tenants t ON t.tenant_id = s.tenant_id LEFT JOIN systems y ON y.system_id = s.system_id`;

/** Resolves to a stream of this tenant, or null. */
export function findStream(reader: Reader, tenantId: string, streamId: string): Promise<StreamRow | null> {
  return reader.first<StreamRow>(`${WHOLE} WHERE s.tenant_id = $1 AND s.stream_id = $2`, tenantId, streamId);
}

/** The tenant and the id of a stream. */
export type StreamName = Readonly<Record<"tenantId" | "streamId", string>>;

/**
 * Resolves to those of these streams that there are, in order of their ids, and keeps them from other writers until the
 * end of the transaction. They are locked in this order, so that two writers never wait for each other.
 */
export async function lockStreams(writer: Writer, names: readonly StreamName[]): Promise<StreamRow[]> {
  // No id holds U+0000. PostgreSQL takes no such text, and would refuse the statement for all of them.
  const pairs = names.flatMap(({ tenantId, streamId }) => (streamId.includes("\0") ? [] : [[tenantId, streamId]]));
  if (pairs.length === 0) return [];
  const { sql, values } = written(
    (place) =>
      `${WHOLE} WHERE (s.tenant_id, s.stream_id) IN ${rowsOf(["TEXT", "TEXT"], pairs)(place)}
       ORDER BY s.stream_id ${writer.locking("s")}`,
  );
  return writer.all<StreamRow>(sql, ...values);
}

/** Resolves to a stream of this tenant that no other transaction changes until this one ends; null without one. */
export async function lockStream(writer: Writer, tenantId: string, streamId: string): Promise<StreamRow | null> {
  return (await lockStreams(writer, [{ tenantId, streamId }]))[0] ?? null;
}

/** A stream as lists show it. */
export type ListedStream = Pick<
  StreamRow,
  "stream_id" | "class" | "system_id" | "policy_id" | "created_at" | "closed_at" | "head_seq_no"
> & { readonly use_case: string; readonly metadata: string };

const LISTED = "stream_id, class, system_id, use_case, policy_id, metadata, created_at, closed_at, head_seq_no";

/** Resolves to a stream of this tenant as lists show it, or null. */
export function listedStream(reader: Reader, tenantId: string, streamId: string): Promise<ListedStream | null> {
  const sql = `SELECT ${LISTED} FROM streams WHERE tenant_id = $1 AND stream_id = $2`;
  return reader.first<ListedStream>(sql, tenantId, streamId);
}

/**
 * Returns the metadata of a stream. It avoids JSON.parse, which in V8 13 and 14 can take an escaped name for another
 * one. Throws Error for a text that is no JSON.
 */
export function metadataOf(kernel: Kernel, { stream_id, metadata }: ListedStream): Record<string, string> {
  const parsed = kernel.parseJson(Buffer.from(metadata));
  if (!parsed.ok) throw new Error(`the metadata of ${stream_id} are not JSON: ${parsed.code}`);
  return parsed.value as Record<string, string>;
}

/** Resolves to the open lifecycle stream of a tenant with a use case; null for one that is not made yet. */
export async function findLifecycleStream(
  reader: Reader,
  tenantId: string,
  useCase: string,
): Promise<StreamRow | null> {
  return reader.first<StreamRow>(
    `SELECT s.*, t.time_zone AS source_timezone FROM streams s JOIN tenants t ON t.tenant_id = s.tenant_id
     WHERE s.tenant_id = $1 AND s.class = 'lifecycle' AND s.use_case = $2 AND s.closed_at IS NULL`,
    tenantId,
    useCase,
  );
}

/** The filters of a list of streams; null for any. */
export interface StreamFilter {
  readonly useCase: string | null;
  readonly streamClass: StreamRow["class"] | null;
}

/** The part of the list that a key may see. */
export interface StreamsAsked extends StreamFilter {
  /** The use cases of lifecycle streams that may not be shown. */
  readonly hidden: readonly string[];
  /** The only ids that may be shown; null for all. */
  readonly only: readonly string[] | null;
  readonly afterId: string;
  readonly most: number;
}

const LIST: ListSql<ListedStream> = {
  columns: LISTED,
  from: "streams",
  key: ["stream_id"],
  placeOf: ({ stream_id }) => [stream_id],
};

/**
 * Resolves to the streams of a system and its tenant's lifecycle streams behind an id, in the order in which they were
 * made: `most` at most, and no more than a bounded walk finds.
 */
export async function streamsOfSystem(
  reader: Reader,
  { tenantId, systemId }: { readonly tenantId: string; readonly systemId: string },
  { useCase, streamClass, hidden, only, afterId, most }: StreamsAsked,
): Promise<Walked<ListedStream>> {
  const byUseCase = useCase === null ? [] : [equal("use_case", useCase)];
  const byClass = streamClass === null ? [] : [equal("class", streamClass)];
  const ofTenant: Condition = (place) => `tenant_id = ${place(tenantId)}`;
  const ofSystem: Condition = (place) => `system_id = ${place(systemId)}`;
  const lead = (within: readonly Condition[], led: readonly IndexedFilter[], kept: readonly Filter[]) =>
    indexLead(reader, LIST, { within, led, kept });
  // Its lifecycle streams are few, so that a filter of them examines few rows in vain.
  const shown = hidden.map((text): Filter => ({ kept: (place) => `use_case || '' <> ${place(text)}` }));
  const part = { after: [afterId], most };
  if (only !== null) {
    // The list is no longer than the key's own. SQL has no empty list.
    if (only.length === 0) return { rows: [], end: null };
    const named: Condition = (place) => `stream_id IN (${only.map(place).join(", ")})`;
    const visible: Condition = (place) => `(system_id || '' = ${place(systemId)} OR class || '' = 'lifecycle')`;
    const also = [equal("tenant_id", tenantId).kept, visible];
    const ofLifecycle = hidden.map(
      (text): Filter => ({ kept: (place) => `(class || '' <> 'lifecycle' OR use_case || '' <> ${place(text)})` }),
    );
    const kept = [...byUseCase, ...byClass, ...ofLifecycle];
    return walk(LIST, [{ ...indexLead(reader, LIST, { within: [named], kept, also }), isExact: true }], part);
  }
  const own = [ofTenant, ofSystem];
  const leads = [
    ...(useCase === null ? [] : [lead(own, byUseCase, byClass)]),
    ...(streamClass === null ? [] : [lead(own, byClass, byUseCase)]),
  ];
  const ofSystems = await walk(LIST, leads.length === 0 ? [lead(own, [], [])] : leads, part);
  if (streamClass !== null && streamClass !== "lifecycle") return ofSystems;
  const ofLifecycle: Condition = () => "system_id IS NULL AND class = 'lifecycle'";
  const lifecycle = lead([ofTenant, ofLifecycle], [], [...byUseCase, ...shown]);
  const isExact = byUseCase.length === 0;
  return merged(LIST, [ofSystems, await walk(LIST, [{ ...lifecycle, isExact }], part)], most);
}

/**
 * Resolves to the ids of a system's streams, in the order in which they were made, `most` at most. `only`: the only ids
 * of interest; null for any.
 */
export async function streamIdsOfSystem(
  reader: Reader,
  { tenantId, systemId }: { readonly tenantId: string; readonly systemId: string },
  only: readonly string[] | null,
  most: number,
): Promise<string[]> {
  const ofSystem: Condition = (place) => `tenant_id = ${place(tenantId)} AND system_id = ${place(systemId)}`;
  const ofOnly: Condition = (place) => `stream_id IN (${only?.length === 0 ? "''" : only?.map(place).join(", ")})`;
  const { sql, values } = written(
    (place) =>
      `SELECT stream_id FROM streams ${where(only === null ? [ofSystem] : [ofSystem, ofOnly])(place)}
       ORDER BY stream_id LIMIT ${place(most)}`,
  );
  return (await reader.all<{ stream_id: string }>(sql, ...values)).map(({ stream_id }) => stream_id);
}

/** A head that moves over new events, from its place in `stream`. */
export interface MovedHead {
  readonly stream: StreamRow;
  readonly seqNo: number;
  readonly eventHash: HashHex;
  /** The time at which the new events were received. */
  readonly receivedAt: string;
}

/**
 * Moves the heads of different streams. The number alone would show whether a head is still in its place; tenant and
 * hash are compared too, so that a row that another hand changed does not move. Rejects with WriteConflict.
 */
export async function moveHeads(writer: Writer, heads: readonly MovedHead[]): Promise<void> {
  if (heads.length === 0) return;
  const rows = heads.map(({ stream, seqNo, eventHash, receivedAt }): SqlValue[] => [
    stream.tenant_id,
    stream.stream_id,
    stream.head_seq_no,
    stream.head_event_hash,
    seqNo,
    eventHash,
    receivedAt,
  ]);
  const { sql, values } = written(
    (place) =>
      `UPDATE streams SET head_seq_no = v.column5, head_event_hash = v.column6, last_received_at = v.column7,
         unwindowed_since = COALESCE(streams.unwindowed_since, v.column7)
       FROM ${rowsOf(["TEXT", "TEXT", "BIGINT", "TEXT", "BIGINT", "TEXT", "TEXT"], rows)(place)} AS v
       WHERE streams.tenant_id = v.column1 AND streams.stream_id = v.column2
         AND streams.head_seq_no = v.column3 AND streams.head_event_hash = v.column4`,
  );
  const changed = await writer.run(sql, ...values);
  if (changed !== heads.length)
    throw new WriteConflict(`the head of ${heads.map(({ stream }) => stream.stream_id).join(" or ")}`);
}

/** Notes that somebody waits for the proofs up to an event. */
export async function demandSealOf(writer: Writer, tenantId: string, streamId: string, toSeqNo: number): Promise<void> {
  await writer.run(
    `UPDATE streams SET seal_demanded_to = $1
     WHERE tenant_id = $2 AND stream_id = $3 AND seal_demanded_to < $1 AND windowed_to_seq_no < $1`,
    toSeqNo,
    tenantId,
    streamId,
  );
}

/**
 * Moves the end of the windows by one window, and resolves to the row as it is then. `old`: the locked row.
 * `unwindowedSince`: when the first event behind the window was received, or null. Rejects with WriteConflict.
 */
export async function moveWindows(
  writer: Writer,
  old: StreamRow,
  window: { readonly toSeqNo: number; readonly unwindowedSince: string | null; readonly closedAt: string },
): Promise<StreamRow> {
  const moved: StreamRow = {
    ...old,
    window_count: old.window_count + 1,
    windowed_to_seq_no: window.toSeqNo,
    unwindowed_since: window.unwindowedSince,
    last_sealed_at: latest(window.closedAt, old.last_sealed_at),
  };
  const changed = await writer.run(
    `UPDATE streams SET window_count = $1, windowed_to_seq_no = $2, unwindowed_since = $3, last_sealed_at = $4
     WHERE tenant_id = $5 AND stream_id = $6 AND window_count = $7 AND windowed_to_seq_no = $8`,
    moved.window_count,
    moved.windowed_to_seq_no,
    moved.unwindowed_since,
    moved.last_sealed_at,
    old.tenant_id,
    old.stream_id,
    old.window_count,
    old.windowed_to_seq_no,
  );
  expectMoved(changed, `the windows of ${old.stream_id}`);
  return moved;
}

/** Moves the end of the checkpoints over new windows. Rejects with WriteConflict. */
export async function moveCheckpoints(
  writer: Writer,
  old: StreamRow,
  checkpoint: { readonly windowCount: number; readonly toSeqNo: number; readonly createdAt: string },
): Promise<void> {
  const changed = await writer.run(
    `UPDATE streams SET checkpointed_window_count = $1, checkpointed_to_seq_no = $2, last_sealed_at = $3
     WHERE tenant_id = $4 AND stream_id = $5 AND checkpointed_window_count = $6`,
    checkpoint.windowCount,
    checkpoint.toSeqNo,
    latest(checkpoint.createdAt, old.last_sealed_at),
    old.tenant_id,
    old.stream_id,
    old.checkpointed_window_count,
  );
  expectMoved(changed, `the checkpoints of ${old.stream_id}`);
}

/** Resolves to the deployment's oldest stream, which a start shows to the operator, or to null. */
export function oldestStream(reader: Reader): Promise<{ stream_id: string; system_id: string | null } | null> {
  return reader.first("SELECT stream_id, system_id FROM streams ORDER BY stream_id LIMIT 1");
}

/**
 * Resolves to the open streams of all tenants that have events in no window yet, the longest waiting first, behind a
 * stream. Only the sealer may call this.
 */
export function streamsAwaitingWindow(reader: Reader, after: StreamRow | null, most: number): Promise<StreamRow[]> {
  return reader.all<StreamRow>(
    `SELECT *, NULL AS source_timezone FROM streams
     WHERE unwindowed_since IS NOT NULL AND closed_at IS NULL AND (unwindowed_since, stream_id) > ($1, $2)
     ORDER BY unwindowed_since, stream_id LIMIT $3`,
    after?.unwindowed_since ?? "",
    after?.stream_id ?? "",
    most,
  );
}

/**
 * Resolves to the open streams of all tenants that have windows under no checkpoint yet, behind a stream. Only the
 * sealer may call this.
 */
export function streamsAwaitingCheckpoint(reader: Reader, after: StreamRow | null, most: number): Promise<StreamRow[]> {
  return reader.all<StreamRow>(
    `SELECT *, NULL AS source_timezone FROM streams
     WHERE window_count > checkpointed_window_count AND closed_at IS NULL AND stream_id > $1 ORDER BY stream_id LIMIT $2`,
    after?.stream_id ?? "",
    most,
  );
}

/** Resolves to the time of the last event in any stream, or null. */
export async function lastRecordedAt(reader: Reader): Promise<string | null> {
  const row = await reader.first<{ at: string | null }>("SELECT MAX(last_received_at) AS at FROM streams");
  return row?.at ?? null;
}
