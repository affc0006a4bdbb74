/**
 * The latest time in a stream's windows and checkpoints: an event that is received later must not have an earlier time.
 */
import type { Migration, Writer } from "@svc/host/store";

/** Schema version 12. */
export const sealedTimes: Migration = {
  version: 12,
  name: "sealed times",
  sql: "ALTER TABLE streams ADD COLUMN last_sealed_at TEXT",
  rewrite: async (writer) => {
    await note(
      writer,
      "SELECT s.stream_id, w.document FROM streams s JOIN windows w ON w.stream_id = s.stream_id AND w.window_no = s.window_count",
    );
    await note(
      writer,
      `SELECT s.stream_id, c.document FROM streams s JOIN checkpoints c
       ON c.stream_id = s.stream_id AND c.window_count = s.checkpointed_window_count`,
    );
  },
};

async function note(writer: Writer, newest: string): Promise<void> {
  for (const { stream_id, document } of await writer.all<{ stream_id: string; document: string }>(newest)) {
    const { closed_at, created_at = closed_at } = JSON.parse(document) as Record<"closed_at" | "created_at", string>;
    await writer.run(
      "UPDATE streams SET last_sealed_at = $1 WHERE stream_id = $2 AND COALESCE(last_sealed_at, '') < $1",
      created_at,
      stream_id,
    );
  }
}
