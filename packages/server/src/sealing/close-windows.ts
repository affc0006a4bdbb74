/**
 * Closes windows (protocol section 8): when a stream has as many unwindowed events as its policy puts in one, or the
 * first of them has waited long enough, or somebody waits for it. Each window is one transaction; after a crash the
 * work continues at the place in the stream's row.
 */
import { type HashHex, headHash, issueWindow, type Kernel, type Policy, type Window, windowHash } from "@svc/core";
import { latest, serviceTime } from "@svc/host/clock";
import { failpoint } from "@svc/host/failpoint";
import { together, WriteConflict, type Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import { newId } from "../ids.ts";
import { newestPolicy, type PolicyVersion } from "../policies/policies-store.ts";
import type { CurrentKey } from "../signing/signing-key.ts";
import { hashesOfRange } from "../streams/events-store.ts";
import { requireChain } from "../streams/require-chain.ts";
import { lockStream, moveWindows, type StreamRow, streamsAwaitingWindow } from "../streams/streams-store.ts";
import { inBatches, type SealingRound, sealEach } from "./seal-each.ts";
import { insertWindow, windowByNo } from "./windows-store.ts";

/** The most windows that one transaction closes. */
const MAX_CLOSED_AT_ONCE = 16;

/** How windows are closed in a transaction: under which policy, by which key, and when. */
interface Closing {
  readonly version: PolicyVersion;
  readonly signer: CurrentKey;
  /** A service time. */
  readonly at: string;
}

/** Closes every window that is due. It ends between two windows on `round.stop`. */
export async function closeDueWindows(context: Context, round: SealingRound): Promise<void> {
  const step = async (writer: Writer, stream: StreamRow) => {
    // It is held first: a rotation of the witness's key waits for it, and then finds all that older policies sealed.
    const signer = await context.signingKey.held(writer);
    const policy = await newestPolicy(writer, stream.tenant_id, stream.policy_id);
    const now = context.clock();
    if (policy === null || !isDue(stream, policy, now)) return false;
    const left = await closeWindow(context, writer, stream, { version: policy, signer, at: serviceTime(now) });
    return isDue(left, policy, now);
  };
  for await (const due of dueStreams(context)) {
    if (round.stop.aborted) return;
    await sealEach(context, due, round, step);
  }
}

/**
 * Closes windows over events that have waited as long as the policy allows, in the transaction of a checkpoint that
 * must cover them, at the time that the checkpoint will have. Resolves to the stream as it is then; null if so many
 * windows were closed that the rest needs another transaction.
 */
export async function closeOverdueWindows(
  context: Context,
  writer: Writer,
  stream: StreamRow,
  closing: Closing,
): Promise<StreamRow | null> {
  const { version, at } = closing;
  let current = stream;
  for (let closed = 0; closed < MAX_CLOSED_AT_ONCE; closed++) {
    const { unwindowed_since: since } = current;
    if (since === null || !isOverdue(since, version.policy, at)) return current;
    current = await closeWindow(context, writer, current, closing);
  }
  return null;
}

/**
 * Resolves to whether any stream has a window to close now. `isOwn`: returns whether a stream is in a shard of this
 * process.
 */
export async function anyWindowDue(
  context: Context,
  isOwn: (streamId: string) => boolean = () => true,
): Promise<boolean> {
  for await (const due of dueStreams(context)) if (due.some(({ stream_id }) => isOwn(stream_id))) return true;
  return false;
}

/**
 * Yields the streams with a due window, in portions. Only these get a transaction: among many open windows, few are due
 * at a time.
 */
async function* dueStreams(context: Context): AsyncGenerator<StreamRow[], void, undefined> {
  const { database, clock } = context;
  const policies = new Map<string, PolicyVersion | null>();
  // Events that arrive meanwhile are left to another round; otherwise one round could last for ever.
  const begun = serviceTime(clock());
  const isLater = ({ unwindowed_since }: StreamRow) => unwindowed_since !== null && unwindowed_since > begun;
  for await (const waiting of inBatches(context, streamsAwaitingWindow, { isLast: isLater })) {
    for (const stream of waiting) {
      const { tenant_id, policy_id } = stream;
      if (!policies.has(nameOf(stream)))
        policies.set(nameOf(stream), await database.read((reader) => newestPolicy(reader, tenant_id, policy_id)));
    }
    yield waiting.filter((stream) => {
      const policy = policies.get(nameOf(stream)) ?? null;
      return policy !== null && isDue(stream, policy, clock());
    });
  }
}

function isDue(stream: StreamRow, version: PolicyVersion, now: number): boolean {
  if (stream.unwindowed_since === null) return false;
  if (stream.head_seq_no - stream.windowed_to_seq_no >= version.policy.window_max_events) return true;
  if (stream.windowed_to_seq_no < stream.seal_demanded_to) return true;
  // A time ahead of the clock shows that the clock was set back, and waiting until it catches up could take hours.
  if (now < Date.parse(stream.unwindowed_since)) return true;
  return isOverdue(stream.unwindowed_since, version.policy, latest(serviceTime(now), stream.last_sealed_at));
}

/** Returns whether an event received at `receivedAt` has waited as long as the policy allows, at the time `at`. */
export function isOverdue(receivedAt: string, { window_max_seconds }: Policy, at: string): boolean {
  return Date.parse(at) - Date.parse(receivedAt) >= window_max_seconds * 1000;
}

/**
 * Closes the next window, and resolves to the stream's row as it is then. `stream`: the row, which need not be locked:
 * the window is made while appends go on, and they wait only until it is stored.
 */
async function closeWindow(
  { issuing: kernel }: Context,
  writer: Writer,
  stream: StreamRow,
  { version: { policy, policyDigest, witnessPolicy, witnessPolicyDigest }, signer, at }: Closing,
): Promise<StreamRow> {
  const from = stream.windowed_to_seq_no + 1;
  // The query asks for one event more than fits: it is the first of the next window.
  const to = Math.min(from + policy.window_max_events, stream.head_seq_no);
  const { before, events } = await requireChain(writer, stream, from, to);
  const inside = events.slice(0, policy.window_max_events);
  const next = events[policy.window_max_events];
  const toSeqNo = from + inside.length - 1;
  const previous = await windowByNo(writer, stream.stream_id, stream.window_count);
  requireFollows(kernel, stream, previous, before);
  const window = await issueWindow(kernel, signer, {
    window_id: newId("win"),
    stream_id: stream.stream_id,
    window_no: stream.window_count + 1,
    from_seq_no: from,
    event_hashes: inside.map((event) => event.event_hash),
    policy_digest: policyDigest,
    witness_policy_digest: witnessPolicyDigest,
    closed_at: latest(
      at,
      signer.validFrom,
      inside.at(-1)?.received_at,
      previous?.closed_at,
      stream.created_at,
      witnessPolicy.declared_at,
    ),
  });
  failpoint("window: sealed");
  const { tenant_id, stream_id } = stream;
  const [, locked] = await together([
    insertWindow(writer, tenant_id, window, windowHash(kernel, window)),
    lockStream(writer, tenant_id, stream_id),
  ]);
  failpoint("window: inserted");
  if (locked?.window_count !== stream.window_count || locked.windowed_to_seq_no !== stream.windowed_to_seq_no)
    throw new WriteConflict(`the windows of ${stream_id}`);
  // An event may have been the first behind the window since.
  const [behind] =
    next !== undefined || locked.head_seq_no === toSeqNo
      ? [next]
      : await hashesOfRange(writer, stream_id, toSeqNo + 1, toSeqNo + 1);
  const { closed_at: closedAt } = window;
  return moveWindows(writer, locked, { toSeqNo, unwindowedSince: behind?.received_at ?? null, closedAt });
}

/** Throws Error unless the previous window ends at the place in the stream's row, with the event at that place. */
function requireFollows(kernel: Kernel, stream: StreamRow, previous: Window | null, lastEventHash: HashHex): void {
  const { stream_id, window_count, windowed_to_seq_no } = stream;
  const fits =
    previous === null
      ? window_count === 0 && windowed_to_seq_no === 0
      : previous.to_seq_no === windowed_to_seq_no &&
        previous.stream_head_hash === headHash(kernel, stream_id, windowed_to_seq_no, lastEventHash);
  if (!fits)
    throw new Error(
      `window ${window_count} of ${stream_id} does not end at its event ${windowed_to_seq_no}: the database was ` +
        `changed`,
    );
}

/** Returns the name of a stream's policy among those of all tenants, since each tenant has its own ids. */
function nameOf({ tenant_id, policy_id }: StreamRow): string {
  return `${tenant_id} ${policy_id}`;
}
