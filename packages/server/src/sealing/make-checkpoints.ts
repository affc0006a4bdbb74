/**
 * Makes checkpoints over windows that none covers yet (protocol section 9), each with its outbox message to the
 * witnesses and its place in the queue of the service log, in one transaction. A checkpoint leaves out no event that is
 * overdue: that would be evidence of a broken promise (protocol section 11), even after the server was down.
 */
import { MAX_PACK_EVENTS } from "@svc/api/limits";
import {
  checkpointHash,
  headHash,
  hexToBytes,
  issueCheckpoint,
  MAX_WINDOWS_PER_CHECKPOINT,
  type Policy,
  type Window,
} from "@svc/core";
import { latest, serviceTime } from "@svc/host/clock";
import { failpoint } from "@svc/host/failpoint";
import { enqueue } from "@svc/host/jobs";
import { together, WriteConflict, type Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import { wantCosigned } from "../feeding/feeder.ts";
import { newId } from "../ids.ts";
import { newestPolicy, type PolicyVersion, policyByDigest } from "../policies/policies-store.ts";
import { queueCheckpoints, unlogged } from "../service-log/queue-store.ts";
import { hashesOfRange } from "../streams/events-store.ts";
import { requireEventHash } from "../streams/require-chain.ts";
import { lockStream, moveCheckpoints, type StreamRow, streamsAwaitingCheckpoint } from "../streams/streams-store.ts";
import { checkpointByWindowCount, insertCheckpoint } from "./checkpoints-store.ts";
import { closeOverdueWindows, isOverdue } from "./close-windows.ts";
import { FED_STREAMS, fedKeys } from "./fed-streams.ts";
import { frontierAfter } from "./frontier.ts";
import { inBatches, type SealingRound, sealEach } from "./seal-each.ts";
import { windowsOfRange } from "./windows-store.ts";

/** The outbox kind by which a checkpoint reaches the managed witness. */
export const COSIGN = "witness.cosign";

/** Makes every checkpoint that is due. It ends between two checkpoints on `round.stop`. */
export async function makeDueCheckpoints(context: Context, round: SealingRound): Promise<void> {
  const step = async (writer: Writer, stream: StreamRow) => {
    if (stream.window_count === stream.checkpointed_window_count) return false;
    // It is held first: a rotation of the witness's key waits for it, and then finds all that older policies sealed.
    const signer = await context.signingKey.held(writer);
    const version = await newestPolicy(writer, stream.tenant_id, stream.policy_id);
    if (version === null) throw new Error(`the policy ${stream.policy_id} of ${stream.stream_id} is missing`);
    const at = latest(serviceTime(context.clock()), signer.validFrom, stream.last_sealed_at);
    const closed = await closeOverdueWindows(context, writer, stream, { version, signer, at });
    if (closed === null) return true;
    const covered = await makeCheckpoint(context, writer, closed, version, at);
    return closed.window_count > covered;
  };
  for await (const streams of inBatches(context, streamsAwaitingCheckpoint)) {
    if (round.stop.aborted) return;
    await sealEach(context, streams, round, step);
  }
}

/**
 * Resolves to whether any stream has a checkpoint to make now. `isOwn`: returns whether a stream is in a shard of this
 * process.
 */
export async function anyCheckpointDue(
  context: Context,
  isOwn: (streamId: string) => boolean = () => true,
): Promise<boolean> {
  // The first stream mostly is enough, and where nothing is divided it always is.
  for await (const streams of inBatches(context, streamsAwaitingCheckpoint, { first: 1 }))
    if (streams.some(({ stream_id }) => isOwn(stream_id))) return true;
  return false;
}

/** Resolves to the number of windows that are covered then. */
async function makeCheckpoint(
  context: Context,
  writer: Writer,
  stream: StreamRow,
  version: PolicyVersion,
  at: string,
): Promise<number> {
  const { issuing: kernel, signingKey, clock, origin } = context;
  const { stream_id, tenant_id, policy_id, checkpointed_window_count: before } = stream;
  const windows = await windowsToCover(writer, stream, version.policy, at);
  const last = windows.at(-1);
  if (last === undefined) throw new Error(`windows ${before + 1} ff. of ${stream_id} are missing from the database`);
  requireConsecutive(stream, windows);

  const previous = before === 0 ? null : await checkpointByWindowCount(writer, stream_id, before);
  if (before > 0 && previous === null)
    throw new Error(`the checkpoint over window ${before} of ${stream_id} is missing from the database`);
  if (previous !== null && previous.checkpoint.origin !== `${origin}/${stream_id}`)
    throw new Error(`the last checkpoint of ${stream_id} has another origin than ${origin}: the database was changed`);
  const frontierBefore =
    previous === null
      ? []
      : frontierAfter(
          kernel,
          previous.checkpoint.window_count - previous.checkpoint.window_roots.length,
          previous.frontierBefore,
          previous.checkpoint.window_roots.map((listed) => listed.window_hash),
        );
  const latestEventHash = await requireEventHash(writer, stream_id, last.to_seq_no);
  if (last.stream_head_hash !== headHash(kernel, stream_id, last.to_seq_no, latestEventHash))
    throw new Error(
      `window ${last.window_no} of ${stream_id} does not end at its event ${last.to_seq_no}: the database was changed`,
    );

  const signer = await signingKey.held(writer);
  const checkpoint = await issueCheckpoint(kernel, signer, {
    checkpoint_id: newId("chk"),
    service_origin: origin,
    previous: previous?.checkpoint ?? null,
    frontier: frontierBefore.map(hexToBytes),
    windows,
    latest_event_hash: latestEventHash,
    policy_id,
    created_at: latest(at, last.closed_at, previous?.checkpoint.created_at),
  });
  failpoint("checkpoint: sealed");
  const stored = { checkpoint, checkpointHash: checkpointHash(kernel, checkpoint), frontierBefore };
  const now = serviceTime(clock());
  // The checkpoint has the policy of its last window, which may be older than the newest one.
  const isNewest = version.witnessPolicyDigest === checkpoint.witness_policy_digest;
  const named = isNewest ? version : await policyByDigest(writer, policy_id, checkpoint.witness_policy_digest);
  const fed = fedKeys(named?.witnessPolicy.witnessKeys ?? [], origin, clock());
  const wanted = { log: FED_STREAMS, tenantId: tenant_id, streamId: stream_id, origin: checkpoint.origin };
  // Appends to the stream wait from here on.
  const [locked] = await together([
    lockStream(writer, tenant_id, stream_id),
    insertCheckpoint(writer, tenant_id, stored),
    queueCheckpoints(writer, [unlogged(checkpoint, stored.checkpointHash)]),
    enqueue(writer, tenant_id, COSIGN, checkpoint.checkpoint_id, {}, now, stream_id),
    wantCosigned(writer, kernel, fed, { ...wanted, treeSize: checkpoint.window_count }, now),
  ]);
  failpoint("checkpoint: inserted");
  const { created_at: createdAt } = checkpoint;
  // An append may have been under way for long, or by a clock that is behind: its event must not be left out.
  const since = locked?.unwindowed_since ?? null;
  if (locked === null || (since !== null && isOverdue(since, version.policy, createdAt)))
    throw new WriteConflict(`the events of ${stream_id}`);
  await moveCheckpoints(writer, stream, { windowCount: last.window_no, toSeqNo: last.to_seq_no, createdAt });
  failpoint("checkpoint: moved");
  return last.window_no;
}

/**
 * Resolves to the next windows, as many as the policy puts in a checkpoint. If an event behind them is overdue,
 * resolves to all windows that exist, as long as they fit in an audit pack.
 */
async function windowsToCover(
  writer: Writer,
  stream: StreamRow,
  policy: Policy,
  at: string,
): Promise<readonly Window[]> {
  const { stream_id, window_count, checkpointed_window_count: before } = stream;
  const upTo = (most: number) =>
    windowsOfRange(
      writer,
      stream_id,
      before + 1,
      Math.min(window_count, before + most, before + MAX_WINDOWS_PER_CHECKPOINT),
    );
  const windows = await upTo(policy.checkpoint_max_windows);
  const last = windows.at(-1);
  if (last === undefined || last.window_no === window_count) return windows;
  const [next] = await hashesOfRange(writer, stream_id, last.to_seq_no + 1, last.to_seq_no + 1);
  if (next === undefined || !isOverdue(next.received_at, policy, at)) return windows;
  const all = await upTo(MAX_WINDOWS_PER_CHECKPOINT);
  return all.filter(
    ({ window_no, to_seq_no }) =>
      window_no <= last.window_no || to_seq_no - stream.checkpointed_to_seq_no <= MAX_PACK_EVENTS,
  );
}

/**
 * Throws Error unless the windows are of this stream and follow its last checkpoint without a gap, by number and by
 * event.
 */
function requireConsecutive(stream: StreamRow, windows: readonly Window[]): void {
  let windowNo = stream.checkpointed_window_count;
  let seqNo = stream.checkpointed_to_seq_no;
  for (const window of windows) {
    windowNo += 1;
    if (
      window.stream_id !== stream.stream_id ||
      window.window_no !== windowNo ||
      window.from_seq_no !== seqNo + 1 ||
      window.to_seq_no < window.from_seq_no
    )
      throw new Error(`window ${windowNo} of ${stream.stream_id} is missing or was changed in the database`);
    seqNo = window.to_seq_no;
  }
}
