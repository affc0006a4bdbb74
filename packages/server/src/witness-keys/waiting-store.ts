/** The policies of windows and checkpoints that have no cosignature yet: all SQL about them. */
import type { Checkpoint, Window } from "@svc/core";
import type { Reader } from "@svc/host/store";
import { COSIGN } from "../sealing/make-checkpoints.ts";

/** The policy that a window or a checkpoint names. */
type Named = Pick<Checkpoint, "policy_id" | "witness_policy_digest">;

/** Resolves to the policies of the checkpoints that the witness in the server has not looked at yet, each once. */
export async function uncosignedPolicies(reader: Reader): Promise<Named[]> {
  const rows = await reader.all<{ document: string }>(
    // CROSS JOIN keeps SQLite from going through all checkpoints.
    `SELECT MIN(c.document) AS document FROM outbox o CROSS JOIN checkpoints c
     WHERE o.kind = $1 AND o.done_at IS NULL AND c.stream_id = o.stream_id AND c.checkpoint_id = o.subject
     GROUP BY c.witness_policy_digest`,
    COSIGN,
  );
  return rows.map(({ document }) => JSON.parse(document) as Checkpoint);
}

/**
 * Resolves to the first window of each stream that no checkpoint covers, of the streams behind one, `most` at most.
 * Versions never decrease along a stream: it has the oldest one.
 */
export async function uncheckpointedWindows(
  reader: Reader,
  afterStream: string,
  most: number,
): Promise<(Named & Pick<Window, "stream_id">)[]> {
  const rows = await reader.all<{ policy_id: string; document: string }>(
    `SELECT s.policy_id, w.document FROM streams s CROSS JOIN windows w
     WHERE s.window_count > s.checkpointed_window_count AND s.closed_at IS NULL AND s.stream_id > $1
       AND w.stream_id = s.stream_id AND w.window_no = s.checkpointed_window_count + 1
     ORDER BY s.stream_id LIMIT $2`,
    afterStream,
    most,
  );
  return rows.map(({ policy_id, document }) => ({ ...(JSON.parse(document) as Window), policy_id }));
}
