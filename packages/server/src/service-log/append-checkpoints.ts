/**
 * The two steps by which checkpoints get into the service log. Those of earlier releases are queued once, stream by
 * stream, each portion in its own transaction; until all are, nothing is appended, so that the log begins in order of
 * creation. Then the queue is appended in portions. A transaction that appends touches the log alone, and one that
 * removes from the queue touches one stream, so that a database that shards has them in one place.
 */
import { latest } from "@svc/host/clock";
import { failpoint } from "@svc/host/failpoint";
import type { Lease } from "@svc/host/jobs";
import type { Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import { insertLeaves, type LeafRow, lastLeaf, loggedAmong } from "./leaves-store.ts";
import { logState, nextCheckpoints, noteQueued } from "./log-store.ts";
import { frontierAt, grown } from "./log-tree.ts";
import { firstUnlogged, queueCheckpoints, removeLogged, type UnloggedRow } from "./queue-store.ts";

/** The checkpoints of one transaction: they bound how long an append of events waits for it. */
const PORTION = 256;
/** The streams whose rows leave the queue at a time, so that their transactions share a commit. */
const MAX_TOGETHER = 16;

type Needs = Pick<Context, "database" | "issuing">;

/** Queues the checkpoints of earlier releases. It ends between two portions on `stop`; the next call goes on there. */
export async function queueEarlier({ database }: Needs, lease: Lease, stop: AbortSignal): Promise<void> {
  for (let to = (await database.read(logState)).queuedTo; to !== null && !stop.aborted; ) {
    const from = to;
    const rows = await database.read((reader) => nextCheckpoints(reader, from, PORTION));
    const last = rows.at(-1);
    to = last === undefined ? null : { streamId: last.stream_id, checkpointNo: last.checkpoint_no };
    const reached = to;
    await database.write(
      async (writer) => {
        await lease.hold(writer);
        if (rows.length > 0) await queueCheckpoints(writer, rows);
        await noteQueued(writer, reached);
      },
      { givesWay: true, isLocking: true },
    );
    failpoint("service log: earlier checkpoints queued");
  }
}

/** Appends the first checkpoints of the queue to the log. Resolves to false if the queue was empty. */
export async function appendQueued(context: Needs, lease: Lease): Promise<boolean> {
  const { database, issuing } = context;
  const rows = await database.read((reader) => firstUnlogged(reader, PORTION));
  if (rows.length === 0) return false;
  await database.write(
    async (writer) => {
      await lease.hold(writer);
      // A process that ended between the two steps has appended some of them already.
      const ids = rows.map(({ checkpoint_id }) => checkpoint_id);
      const logged = await loggedAmong(writer, ids);
      const missing = rows.filter(({ checkpoint_id }) => !logged.has(checkpoint_id));
      if (missing.length > 0) await insertLeaves(writer, await leavesOf(writer, issuing, missing));
      failpoint("service log: leaves inserted");
    },
    // The lease keeps all others from these tables.
    { givesWay: true, isLocking: true },
  );
  failpoint("service log: appended");
  const streams = [...Map.groupBy(rows, ({ stream_id }) => stream_id)];
  for (let from = 0; from < streams.length; from += MAX_TOGETHER)
    await Promise.all(
      streams.slice(from, from + MAX_TOGETHER).map(([streamId, appended]) =>
        database.write(
          async (writer) => {
            await lease.hold(writer);
            const numbers = appended.map(({ checkpoint_no }) => checkpoint_no);
            await removeLogged(writer, streamId, numbers);
          },
          { givesWay: true, isLocking: true },
        ),
      ),
    );
  return true;
}

/** Resolves to the leaves of checkpoints behind the last one. */
async function leavesOf(
  writer: Writer,
  kernel: Context["issuing"],
  checkpoints: readonly UnloggedRow[],
): Promise<LeafRow[]> {
  const last = await lastLeaf(writer);
  let size = last === null ? 0 : last.leaf_index + 1;
  let frontier: Parameters<typeof grown>[2] = await frontierAt(writer, kernel, size);
  let latestCreatedAt = last?.latest_created_at ?? "";
  return checkpoints.map(({ checkpoint_id, checkpoint_hash, created_at }) => {
    const leaf = grown(kernel, size, frontier, checkpoint_hash);
    latestCreatedAt = latest(created_at, latestCreatedAt);
    const row = { leaf_index: size, checkpoint_id, checkpoint_hash, nodes: leaf.nodes };
    [size, frontier] = [size + 1, leaf.frontier];
    return { ...row, latest_created_at: latestCreatedAt };
  });
}
