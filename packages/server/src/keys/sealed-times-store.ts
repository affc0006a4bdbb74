/** The newest time in anything that the service has sealed: all SQL about it. */
import type { Reader } from "../store/database.ts";

/** The latest received_at, closed_at or created_at over all streams; null where nothing is sealed. Times of a stream never go back. */
export async function newestSealedTime(reader: Reader): Promise<string | null> {
  const received = await reader.first<{ at: string | null }>("SELECT MAX(last_received_at) AS at FROM streams");
  let newest = received?.at ?? null;
  const documents = [
    ...(await reader.all<{ document: string }>(
      "SELECT w.document FROM streams s JOIN windows w ON w.stream_id = s.stream_id AND w.window_no = s.window_count",
    )),
    ...(await reader.all<{ document: string }>(
      `SELECT c.document FROM streams s JOIN checkpoints c
       ON c.stream_id = s.stream_id AND c.window_count = s.checkpointed_window_count`,
    )),
  ];
  for (const { document } of documents) {
    const { closed_at, created_at } = JSON.parse(document) as { closed_at?: string; created_at?: string };
    const at = closed_at ?? created_at ?? null;
    if (at !== null && (newest === null || at > newest)) newest = at;
  }
  return newest;
}
