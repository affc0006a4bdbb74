/** How large a pack would be, before anything of it is read. */
import type { Reader } from "../store/database.ts";

/** Bytes of the stored payloads in a range of a stream. */
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
