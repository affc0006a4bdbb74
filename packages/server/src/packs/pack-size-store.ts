/** The size of a pack, before anything of it is read: all SQL about it. */
import type { Reader } from "@svc/host/store";
import { archivedSizes } from "../archived/archived-store.ts";

/** Resolves to the bytes of the payloads in a range of a stream, both ends included, archived ones too. */
export async function payloadBytes(
  reader: Reader,
  streamId: string,
  fromSeqNo: number,
  toSeqNo: number,
): Promise<number> {
  const row = await reader.first<{ bytes: number }>(
    "SELECT COALESCE(SUM(OCTET_LENGTH(payload)), 0) AS bytes FROM events WHERE stream_id = $1 AND seq_no >= $2 " +
      "AND seq_no <= $3",
    streamId,
    fromSeqNo,
    toSeqNo,
  );
  const archived = await archivedSizes(reader, streamId, fromSeqNo, toSeqNo);
  return [...archived.values()].reduce((sum, bytes) => sum + bytes, row?.bytes ?? 0);
}

/**
 * Resolves to the last event of a range up to which the payloads have at most `bytes` bytes; 0 if the first one has
 * more.
 */
export async function lastWithin(
  reader: Reader,
  streamId: string,
  { from_seq_no, to_seq_no }: { readonly from_seq_no: number; readonly to_seq_no: number },
  bytes: number,
): Promise<number> {
  const rows = await reader.all<{ seq_no: number; bytes: number }>(
    `SELECT seq_no, COALESCE(OCTET_LENGTH(payload), 0) AS bytes FROM events
     WHERE stream_id = $1 AND seq_no >= $2 AND seq_no <= $3 ORDER BY seq_no`,
    streamId,
    from_seq_no,
    to_seq_no,
  );
  const archived = await archivedSizes(reader, streamId, from_seq_no, to_seq_no);
  let [last, sum] = [0, 0];
  for (const row of rows) {
    sum += row.bytes + (archived.get(row.seq_no) ?? 0);
    if (sum > bytes) return last;
    last = row.seq_no;
  }
  return last;
}
