/**
 * Checks the service log: each leaf against its checkpoint, its nodes against the tree that they make, and each epoch
 * against the root of the log at its size, its document, its note and the keys; in the note each line by a witness that
 * a policy lists or the deployment feeds. Every checkpoint is in the log, or in the queue.
 */
import {
  type Anchor,
  atoms,
  type Checkpoint,
  encodeHex,
  type HashHex,
  type NodeHash,
  verify,
  type WitnessKey,
  type WitnessPolicy,
} from "@svc/core";
import { difference, type Fault, type RawRow, type StrayRule, strayRows } from "@svc/host/checks";
import { latest } from "@svc/host/clock";
import { problemsOf } from "@svc/host/http/shapes";
import type { Reader } from "@svc/host/store";
import type { CheckContext } from "../check-context.ts";
import { sealFault } from "../keys/check-keys.ts";
import { checkTrust } from "../keys/check-trust.ts";
import { rawWitnessPolicies } from "../policies/rows-store.ts";
import { grown } from "./log-tree.ts";
import { rawEpochs, rawLeaves, rawQueue, rawState } from "./rows-store.ts";

const PORTION = 500;
const STRAYS: readonly StrayRule[] = [
  {
    table: "checkpoints",
    id: "checkpoint_id",
    fault: "it is neither in the service log nor in its queue",
    // Until the checkpoints of earlier releases are queued, some of them are in neither.
    where: `NOT EXISTS (SELECT 1 FROM service_log_leaves l WHERE l.checkpoint_id = e.checkpoint_id)
      AND NOT EXISTS (SELECT 1 FROM unlogged_checkpoints q WHERE q.checkpoint_id = e.checkpoint_id)
      AND EXISTS (SELECT 1 FROM service_log s WHERE s.queued_stream_id IS NULL)`,
  },
];
const HASH = /^[0-9a-f]{64}$/;
/** A key by which lines of notes are distinguished. It is a `type`, so that it is Json. */
type LineKey = Pick<WitnessKey, "name" | "public_key_hex">;
const lineKeyProblems = problemsOf(atoms.Closed({ name: atoms.KeyName, public_key_hex: atoms.PublicKey }));

/** The log up to a leaf, as its rows have it. */
interface LogSoFar {
  readonly size: number;
  readonly frontier: readonly NodeHash[];
  readonly latestCreatedAt: string;
  /** The number of the last checkpoint of each stream. */
  readonly lastOfStream: Map<string, number>;
  /** The last epoch that this size has reached. */
  readonly epoch: Pick<Anchor, "epoch_no" | "log_size" | "anchored_at"> | null;
}

/** Yields the faults of the log, its queue and its epochs. */
export async function* checkServiceLog(context: CheckContext): AsyncGenerator<Fault> {
  yield* strayRows(context, STRAYS);
  yield* stateFaults(context);
  yield* queueFaults(context);
  const witnesses = await context.database.read((reader) => knownWitnesses(reader, context));
  let log: LogSoFar = { size: 0, frontier: [], latestCreatedAt: "", lastOfStream: new Map(), epoch: null };
  for (;;) {
    context.onStep(`: leaf ${log.size + 1}`);
    const from: LogSoFar = log;
    // One snapshot has the leaves of a portion and the epochs at their sizes: a server beside it goes on meanwhile.
    const { leaves, epochs, checked } = await context.database.read(async (reader) => {
      const { keys, trust } = await checkTrust(reader, context.origin, context.signer);
      return {
        leaves: await rawLeaves(reader, from.size, PORTION),
        epochs: await rawEpochs(reader, from.epoch?.epoch_no ?? 0, PORTION),
        checked: { ...context, keys, trust: { ...trust, witnesses } },
      };
    });
    // An epoch over all leaves so far may have been published since they were read.
    for (const row of [null, ...leaves]) {
      if (row !== null) {
        const fault = leafFault(context, log, row);
        if (fault !== null) yield fault;
        log = withLeaf(context, log, row);
      }
      // No epoch is over nothing.
      while (log.size > 0 && epochs[0] !== undefined && Number(epochs[0].log_size) <= log.size) {
        const epoch = epochs.shift() as RawRow;
        yield* epochFaults(checked, log, epoch);
        const { epoch_no, log_size, anchored_at } = epoch;
        log = {
          ...log,
          epoch: { epoch_no: Number(epoch_no), log_size: Number(log_size), anchored_at: `${anchored_at}` },
        };
      }
    }
    if (leaves.length > 0) continue;
    for (const row of epochs)
      yield epochFault(row, `it covers ${row.log_size} checkpoints, and the log has ${log.size}`);
    return;
  }
}

/** Resolves to the witnesses whose lines are checked, each once. */
async function knownWitnesses(reader: Reader, { kernel, witnesses }: CheckContext): Promise<LineKey[]> {
  const fed = witnesses.map(({ name, publicKeyHex }) => ({ name, public_key_hex: publicKeyHex }));
  const listed = (await rawWitnessPolicies(reader)).flatMap((row) => {
    const parsed = kernel.parseJson(Buffer.from(`${row.document}`));
    const keys = parsed.ok ? (parsed.value as unknown as Partial<WitnessPolicy>).witnessKeys : undefined;
    if (!Array.isArray(keys)) return [];
    // The check of the policies reports one that was changed.
    return keys
      .map(({ name, public_key_hex }) => ({ name, public_key_hex }))
      .filter((key) => lineKeyProblems(key).length === 0);
  });
  return [...new Map([...fed, ...listed].map((one) => [`${one.public_key_hex} ${one.name}`, one])).values()];
}

async function* stateFaults({ database }: CheckContext): AsyncGenerator<Fault> {
  const { state, leaves } = await database.read(async (reader) => ({
    state: await rawState(reader),
    leaves: await rawLeaves(reader, 0, 1),
  }));
  if (state === null) {
    if (leaves.length > 0) yield { table: "service_log", row: {}, fault: "the row is missing, and the log has leaves" };
    return;
  }
  // Nothing is appended before all checkpoints of earlier releases are queued.
  const begun = leaves.length > 0 || state.queued_stream_id === null;
  const expected = { service_no: 1, ...(begun ? { queued_stream_id: null, queued_checkpoint_no: null } : {}) };
  const fault = difference("service_log", {}, state, expected);
  if (fault !== null) yield fault;
}

async function* queueFaults({ database, kernel }: CheckContext): AsyncGenerator<Fault> {
  for (let [stream, number] = ["", 0]; ; ) {
    const [afterStream, afterNo] = [stream, number];
    const rows = await database.read((reader) => rawQueue(reader, afterStream, afterNo, PORTION));
    for (const row of rows) {
      const key = { stream_id: row.stream_id ?? null, checkpoint_no: row.checkpoint_no ?? null };
      const checkpoint = checkpointOf(kernel, row);
      const fault =
        checkpoint === null
          ? { table: "unlogged_checkpoints", row: key, fault: `there is no checkpoint ${row.checkpoint_id}` }
          : difference("unlogged_checkpoints", key, row, {
              stream_id: checkpoint.stream_id,
              checkpoint_no: checkpoint.checkpoint_no,
              checkpoint_id: checkpoint.checkpoint_id,
              checkpoint_hash: row.stored_hash,
              created_at: checkpoint.created_at,
            });
      if (fault !== null) yield fault;
      [stream, number] = [`${row.stream_id}`, Number(row.checkpoint_no)];
    }
    if (rows.length < PORTION) return;
  }
}

function leafFault({ kernel }: CheckContext, log: LogSoFar, row: RawRow): Fault | null {
  const key = { leaf_index: row.leaf_index ?? null };
  const checkpoint = checkpointOf(kernel, row);
  if (checkpoint === null)
    return { table: "service_log_leaves", row: key, fault: `there is no checkpoint ${row.checkpoint_id}` };
  const before = log.lastOfStream.get(checkpoint.stream_id) ?? 0;
  if (checkpoint.checkpoint_no !== before + 1)
    return {
      table: "service_log_leaves",
      row: key,
      fault: `it is checkpoint ${checkpoint.checkpoint_no} of ${checkpoint.stream_id}, and ${before + 1} was due`,
    };
  return difference("service_log_leaves", key, row, {
    leaf_index: log.size,
    checkpoint_id: checkpoint.checkpoint_id,
    checkpoint_hash: row.stored_hash,
    nodes: grown(kernel, log.size, log.frontier, hashIn(row)).nodes,
    latest_created_at: latest(checkpoint.created_at, log.latestCreatedAt),
  });
}

/** Returns the log with a leaf, as its row and its checkpoint have it. */
function withLeaf({ kernel }: CheckContext, log: LogSoFar, row: RawRow): LogSoFar {
  const checkpoint = checkpointOf(kernel, row);
  if (checkpoint !== null) log.lastOfStream.set(checkpoint.stream_id, checkpoint.checkpoint_no);
  return {
    ...log,
    size: log.size + 1,
    frontier: grown(kernel, log.size, log.frontier, hashIn(row)).frontier,
    latestCreatedAt: latest(checkpoint?.created_at ?? "", log.latestCreatedAt),
  };
}

/** Returns the hash of a leaf: that of its checkpoint's row, or else its own. */
function hashIn({ stored_hash, checkpoint_hash }: RawRow): HashHex {
  const found = [stored_hash, checkpoint_hash].find((one) => HASH.test(`${one}`));
  return (found ?? "0".repeat(64)) as HashHex;
}

function* epochFaults({ kernel, origin, keys, trust }: CheckContext, log: LogSoFar, row: RawRow): Generator<Fault> {
  const parsed = kernel.parseJson(Buffer.from(`${row.document}`));
  if (!parsed.ok) return yield epochFault(row, "its document is not JSON");
  const sealed = parsed.value as unknown as Omit<Anchor, "note" | "members" | "evidence">;
  const fault = difference(
    "epochs",
    { epoch_no: row.epoch_no ?? null },
    { ...row, epoch_root: sealed.epoch_root, origin: sealed.origin },
    {
      epoch_no: (log.epoch?.epoch_no ?? 0) + 1,
      anchor_epoch_id: sealed.anchor_epoch_id,
      log_size: sealed.log_size,
      anchored_at: sealed.anchored_at,
      origin,
      epoch_root: encodeHex(kernel.rootFromFrontier([...log.frontier])),
    },
  );
  if (fault !== null) yield fault;
  if (Number(row.log_size) !== log.size || sealed.epoch_no !== Number(row.epoch_no))
    yield epochFault(row, `its place is not behind epoch ${log.epoch?.epoch_no ?? 0}`);
  if (sealed.anchored_at < latest(log.latestCreatedAt, log.epoch?.anchored_at))
    yield epochFault(row, `it has the time ${sealed.anchored_at}, before what it covers or the epoch before it`);
  const late = sealFault(keys, sealed.seal?.kid, sealed.anchored_at);
  if (late !== null) yield epochFault(row, late);
  const anchor = { ...sealed, note: `${row.note}`, members: [], evidence: null };
  for (const { code, path, message } of verify(kernel.canonicalize(anchor), { kind: "anchor", trust, kernel }).problems)
    yield epochFault(row, `${code} at ${path}: ${message}`);
}

function epochFault({ epoch_no = null }: RawRow, fault: string): Fault {
  return { table: "epochs", row: { epoch_no }, fault };
}

/** Returns the checkpoint beside a row; null if it is missing or no JSON, which the check of checkpoints tells. */
function checkpointOf(kernel: CheckContext["kernel"], { checkpoint }: RawRow): Checkpoint | null {
  if (checkpoint === null || checkpoint === undefined) return null;
  const parsed = kernel.parseJson(Buffer.from(`${checkpoint}`));
  return parsed.ok ? (parsed.value as unknown as Checkpoint) : null;
}
