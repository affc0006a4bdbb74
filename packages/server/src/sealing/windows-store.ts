/** Windows as they were sealed: all SQL about them. */
import type { HashHex, Window } from "@svc/core";
import type { Reader, Writer } from "@svc/host/store";

interface Row {
  readonly document: string;
}

/** Inserts a window. `hash`: its window hash. */
export async function insertWindow(writer: Writer, tenantId: string, window: Window, hash: HashHex): Promise<void> {
  await writer.run(
    `INSERT INTO windows (window_id, tenant_id, stream_id, window_no, from_seq_no, to_seq_no, window_hash, document)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    window.window_id,
    tenantId,
    window.stream_id,
    window.window_no,
    window.from_seq_no,
    window.to_seq_no,
    hash,
    JSON.stringify(window),
  );
}

/** Resolves to a window, or null. Anybody may see it: windows carry hashes only. */
export async function findWindow(reader: Reader, windowId: string): Promise<Window | null> {
  return parsed(await reader.first<Row>("SELECT document FROM windows WHERE window_id = $1", windowId));
}

/** Resolves to a window of a stream by its number, or null. */
export async function windowByNo(reader: Reader, streamId: string, windowNo: number): Promise<Window | null> {
  const sql = "SELECT document FROM windows WHERE stream_id = $1 AND window_no = $2";
  return parsed(await reader.first<Row>(sql, streamId, windowNo));
}

/** Resolves to the window that holds an event; null if none does yet. */
export async function windowOfEvent(reader: Reader, streamId: string, seqNo: number): Promise<Window | null> {
  const sql = "SELECT document FROM windows WHERE stream_id = $1 AND to_seq_no >= $2 ORDER BY to_seq_no LIMIT 1";
  const window = parsed(await reader.first<Row>(sql, streamId, seqNo));
  return window !== null && window.from_seq_no <= seqNo ? window : null;
}

/** Resolves to windows by number, both ends included, ascending. */
export async function windowsOfRange(
  reader: Reader,
  streamId: string,
  fromNo: number,
  toNo: number,
): Promise<Window[]> {
  const rows = await reader.all<Row>(
    "SELECT document FROM windows WHERE stream_id = $1 AND window_no >= $2 AND window_no <= $3 ORDER BY window_no",
    streamId,
    fromNo,
    toNo,
  );
  return rows.map((row) => JSON.parse(row.document) as Window);
}

/** Resolves to window hashes by number, both ends included, ascending: the leaves of the checkpoint tree. */
export async function windowHashes(reader: Reader, streamId: string, fromNo: number, toNo: number): Promise<HashHex[]> {
  const rows = await reader.all<{ window_hash: HashHex }>(
    "SELECT window_hash FROM windows WHERE stream_id = $1 AND window_no >= $2 AND window_no <= $3 ORDER BY window_no",
    streamId,
    fromNo,
    toNo,
  );
  return rows.map((row) => row.window_hash);
}

function parsed(row: Row | null): Window | null {
  return row === null ? null : (JSON.parse(row.document) as Window);
}
