/** The figures of the service log for operators. */
import type { Reader } from "@svc/host/store";
import { newestEpoch } from "./epochs-store.ts";
import { lastLeaf, leafAt } from "./leaves-store.ts";
import { logState } from "./log-store.ts";
import { firstUnlogged } from "./queue-store.ts";

/** The figures. */
export interface LogFigures {
  /** The number of checkpoints in the log. */
  readonly size: number;
  readonly newestEpoch: { readonly epochNo: number; readonly logSize: number; readonly anchoredAt: string } | null;
  /** When the first checkpoint that no epoch covers was made; null if all are covered. */
  readonly unpublishedSince: string | null;
  /** Whether checkpoints of an earlier release are still being taken up. */
  readonly takesUp: boolean;
  /** When epochs ended for good; null while they go on. */
  readonly closedAt: string | null;
}

/** Resolves to the figures. */
export async function logFigures(reader: Reader): Promise<LogFigures> {
  const { queuedTo, closedAt } = await logState(reader);
  const newest = await newestEpoch(reader);
  const last = await lastLeaf(reader);
  const unpublished = await leafAt(reader, newest?.log_size ?? 0);
  const [unlogged] = await firstUnlogged(reader, 1);
  const since = [unpublished?.latest_created_at, unlogged?.created_at].filter((time) => time !== undefined);
  return {
    size: last === null ? 0 : last.leaf_index + 1,
    newestEpoch:
      newest === null ? null : { epochNo: newest.epoch_no, logSize: newest.log_size, anchoredAt: newest.anchored_at },
    unpublishedSince: since.sort()[0] ?? null,
    takesUp: queuedTo !== null,
    closedAt,
  };
}
