/** The outbox messages by which notes reach outside witnesses: all reading of them but for sending. */
import { type Reader, type SqlValue, written } from "@svc/host/store";
import { FEED_KINDS } from "./fed-witness.ts";

/** A note that a witness has not cosigned yet. */
export interface OpenFeed {
  /** The kind of the witness's messages. */
  readonly kind: string;
  /** JSON text: `{log, tree_size}`. */
  readonly payload: string;
  readonly attempts: number;
  readonly next_attempt_at: string;
  /** Null as long as it was not refused. */
  readonly last_error: string | null;
}

/** The notes that wait for one witness, in figures. */
export interface FeedTotals {
  readonly kind: string;
  /** The number of origins with a note that it has not cosigned. */
  readonly open: number;
  /** Those of them that are of a tenant's streams, and so of a policy. */
  readonly of_policies: number;
  /** Those of them whose last attempt failed. */
  readonly failing: number;
  /** Since when the first of them waits. */
  readonly since: string;
  /** The last error of one of them; null if none failed. */
  readonly last_error: string | null;
}

/**
 * Resolves to the open messages of these kinds about an origin. `streamId`: the stream in whose shard they are; null
 * for a log of the whole service.
 */
export async function openFeedsOf(
  reader: Reader,
  kinds: readonly string[],
  origin: string,
  streamId: string | null,
): Promise<OpenFeed[]> {
  if (kinds.length === 0) return [];
  const { sql, values } = written((place: (value: SqlValue) => string) => {
    const ofStream = streamId === null ? "stream_id IS NULL" : `stream_id = ${place(streamId)}`;
    return `SELECT kind, payload, attempts, next_attempt_at, last_error FROM outbox
      WHERE kind IN (${kinds.map(place).join(", ")}) AND subject = ${place(origin)} AND ${ofStream} AND done_at IS NULL`;
  });
  return reader.all<OpenFeed>(sql, ...values);
}

/** Resolves to the figures of each witness for which any note waits. */
export function feedTotals(reader: Reader): Promise<FeedTotals[]> {
  return reader.all<FeedTotals>(
    `SELECT kind, COUNT(*) AS open, COUNT(tenant_id) AS of_policies, COUNT(last_error) AS failing, MIN(created_at) AS since, MAX(last_error) AS last_error
     FROM outbox WHERE done_at IS NULL AND kind LIKE $1 GROUP BY kind ORDER BY kind`,
    FEED_KINDS,
  );
}
