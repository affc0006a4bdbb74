/** The size of a pack, before anything of it is read: all SQL about it. */
import type { Reader } from "@svc/host/store";

/** Resolves to the bytes of the stored payloads in a range of a stream, both ends included. */
export async function payloadBytes(
  reader: Reader,
  streamId: string,
  fromSeqNo: number,
  toSeqNo: number,
): Promise<number> {
  const row = await reader.first<{ bytes: number }>(
    "SELECT COALESCE(SUM(OCTET_LENGTH(payload)), 0) AS bytes FROM events WHERE stream_id = $1 AND seq_no >= $2 AND seq_no <= $3",
    streamId,
    fromSeqNo,
    toSeqNo,
  );
  return row?.bytes ?? 0;
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
  const row = await reader.first<{ last: number }>(
    `SELECT COALESCE(MAX(seq_no), 0) AS last FROM (
       SELECT seq_no, SUM(COALESCE(OCTET_LENGTH(payload), 0)) OVER (ORDER BY seq_no) AS bytes FROM events
       WHERE stream_id = $1 AND seq_no >= $2 AND seq_no <= $3) summed
     WHERE bytes <= $4`,
    streamId,
    from_seq_no,
    to_seq_no,
    bytes,
  );
  return row?.last ?? 0;
}
