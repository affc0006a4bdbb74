/**
 * A checkpoint: the state of a stream after some windows, as a sealed object and as a C2SP signed note (protocol
 * section 9). Its root binds every window root, head and policy under it; cosignatures.ts reads who cosigned it.
 */
import { encodeHex, hexToBytes } from "../encoding/hex.ts";
import { encodeUtf8 } from "../encoding/utf8.ts";
import type { JsonObject, Kernel, NodeHash } from "../kernel/kernel.ts";
import { checkpointText, ED25519_LINE, encodeNote, noteKeyId } from "../note/signed-note.ts";
import { digest, MAX_WINDOWS_PER_CHECKPOINT, ZERO_HASH } from "../protocol.ts";
import type { Examination } from "../report/examination.ts";
import type { ShapeFault } from "../report/shape.ts";
import {
  CheckpointId,
  Closed,
  Hash,
  type HashHex,
  NullableCount,
  Ordinal,
  ServiceTime,
  Slug,
  StreamId,
  StreamOrigin,
} from "../schema/atoms.ts";
import * as Type from "../schema/type.ts";
import { makeSeal, Seal, type Signer } from "../seal.ts";
import { examineRoot, frontierLength } from "./checkpoint-roots.ts";
import { Cosignatures, type CosignedCheckpoint } from "./cosignatures.ts";
import { KnownWitnesses } from "./known-witnesses.ts";
import { examineOwnNote } from "./own-note.ts";
import { headHash } from "./receipt.ts";
import { type Window, windowHash } from "./window.ts";

/**
 * A window in the list of the checkpoint that first covers it (protocol section 9). As JSON, shortened:
 *
 * ```json
 * {"window_no":4,"window_hash":"76ab02…","window_root":"fbe42b…","from_seq_no":8,"to_seq_no":10}
 * ```
 */
export const ListedWindow = Closed({
  window_no: Ordinal,
  window_hash: Hash,
  window_root: Hash,
  from_seq_no: Ordinal,
  to_seq_no: Ordinal,
});
export type ListedWindow = Type.Static<typeof ListedWindow>;

/**
 * A checkpoint, which the service signs over all windows of a stream so far (protocol section 9). As JSON, shortened:
 *
 * ```json
 * {"checkpoint_id":"chk_01k3…","stream_id":"str_01k3…","origin":"test.example/evidence/str_01k3…","checkpoint_no":2,
 *  "window_count":4,"checkpoint_root":"95669f…","window_roots":[],"to_seq_no":10,"latest_event_hash":"c99323…",
 *  "stream_head_hash":"6c7bee…","previous_checkpoint_hash":"3bb705…","policy_id":"default",
 *  "policy_digest":"4f87c9…","witness_policy_digest":"923df9…","anchor_epoch_candidate":null,
 *  "created_at":"2026-03-01T00:00:12.000Z","seal":{},"note":"test.example/evidence/str_01k3…\n4\nlWaf…"}
 * ```
 */
export const Checkpoint = Closed(
  {
    checkpoint_id: CheckpointId,
    stream_id: StreamId,
    origin: StreamOrigin,
    checkpoint_no: Ordinal,
    window_count: Ordinal,
    checkpoint_root: Hash,
    window_roots: Type.Array(ListedWindow, { minItems: 1, maxItems: MAX_WINDOWS_PER_CHECKPOINT }),
    to_seq_no: Ordinal,
    latest_event_hash: Hash,
    stream_head_hash: Hash,
    previous_checkpoint_hash: Hash,
    policy_id: Slug,
    policy_digest: Hash,
    witness_policy_digest: Hash,
    anchor_epoch_candidate: NullableCount,
    created_at: ServiceTime,
    seal: Seal,
    note: Type.String(),
    frontier: Type.Optional(Type.Array(Hash)),
  },
  { $id: "checkpoint" },
);
export type Checkpoint = Type.Static<typeof Checkpoint>;

/** The input of a checkpoint: everything that a service knows before it seals it. */
export interface CheckpointInput {
  readonly checkpoint_id: string;
  /** The origin of the service; the stream's origin is that, `/` and the stream id. */
  readonly service_origin: string;
  /** The checkpoint before, null for the first. */
  readonly previous: Checkpoint | null;
  /** The frontier of the tree before the new windows. */
  readonly frontier: readonly NodeHash[];
  /** The windows since the previous checkpoint, in order; at least one. */
  readonly windows: readonly Window[];
  /** The event hash of the last window's last event. */
  readonly latest_event_hash: HashHex;
  readonly policy_id: string;
  readonly created_at: string;
}

/** Returns the members that a checkpoint's seal and its hash cover. */
export function checkpointBody(checkpoint: Checkpoint): JsonObject {
  const { seal: _seal, note: _note, frontier: _frontier, ...body } = checkpoint;
  return body;
}

/**
 * Returns the checkpoint hash (protocol section 9), 64 lowercase hex characters. The next checkpoint and every witness
 * statement name the checkpoint by it. `checkpoint`: its seal, note and frontier are not part of the hash. It checks
 * nothing.
 *
 * @example
 * const [statement] = bundle.artifacts["witnesses.json"].statements;
 * console.log(statement?.checkpoint_hash === checkpointHash(kernel, checkpoint)); // true
 */
export function checkpointHash(kernel: Kernel, checkpoint: Checkpoint): HashHex {
  return digest(kernel, "checkpoint", checkpointBody(checkpoint));
}

/**
 * Seals a checkpoint over new windows and signs its note (protocol section 9). `signer`: the service's key. `input`:
 * the checkpoint before, the frontier before the new windows (32-byte hashes), these windows in order, and the members
 * that the service chooses; times are YYYY-MM-DDTHH:MM:SS.mmmZ. Resolves to the checkpoint. Rejects with RangeError for
 * no window, and for a frontier that does not fit the windows before. It does not check that the windows follow each
 * other: `verify` does.
 *
 * @example
 * const issued = await issueCheckpoint(kernel, signer, {
 *   checkpoint_id: "chk_01k3zjv5c7m5n0rhd0sxkqgx2t",
 *   service_origin: "log.example",
 *   previous: null,
 *   frontier: [],
 *   windows: [window],
 *   latest_event_hash: checkpoint.latest_event_hash,
 *   policy_id: "default",
 *   created_at: "2026-03-01T08:30:12.000Z",
 * });
 * console.log(issued.checkpoint_root === checkpoint.checkpoint_root); // true
 */
export async function issueCheckpoint(kernel: Kernel, signer: Signer, input: CheckpointInput): Promise<Checkpoint> {
  const { previous, windows } = input;
  const last = windows.at(-1);
  if (last === undefined) throw new RangeError("a checkpoint covers at least one new window");
  const listed = windows.map((window) => ({
    window_no: window.window_no,
    window_hash: windowHash(kernel, window),
    window_root: window.window_root,
    from_seq_no: window.from_seq_no,
    to_seq_no: window.to_seq_no,
  }));
  const leaves = listed.map((window) => kernel.leafHash(hexToBytes(window.window_hash)));
  const root = kernel.rootFromFrontier(kernel.appendToFrontier(previous?.window_count ?? 0, input.frontier, leaves));
  const origin = `${input.service_origin}/${last.stream_id}`;
  const body = {
    checkpoint_id: input.checkpoint_id,
    stream_id: last.stream_id,
    origin,
    checkpoint_no: (previous?.checkpoint_no ?? 0) + 1,
    window_count: last.window_no,
    checkpoint_root: encodeHex(root) as HashHex,
    window_roots: listed,
    to_seq_no: last.to_seq_no,
    latest_event_hash: input.latest_event_hash,
    stream_head_hash: last.stream_head_hash,
    previous_checkpoint_hash: previous === null ? ZERO_HASH : checkpointHash(kernel, previous),
    policy_id: input.policy_id,
    policy_digest: last.policy_digest,
    witness_policy_digest: last.witness_policy_digest,
    anchor_epoch_candidate: null,
    created_at: input.created_at,
  };
  const text = checkpointText(origin, body.window_count, root);
  const line = {
    name: origin,
    keyId: noteKeyId(kernel, origin, ED25519_LINE, signer.publicKeyHex),
    signature: await signer.sign(encodeUtf8(text)),
  };
  return { ...body, seal: await makeSeal(kernel, "checkpoint", body, signer), note: encodeNote(text, [line]) };
}

/** Returns a checkpoint with its hash, by which witnesses name it. */
export function asCosigned(kernel: Kernel, checkpoint: Checkpoint): CosignedCheckpoint & Checkpoint {
  return { ...checkpoint, checkpoint_hash: checkpointHash(kernel, checkpoint) };
}

/** Returns the faults of a checkpoint that its schema cannot express. */
export function checkpointFaults(checkpoint: Checkpoint, path: string): ShapeFault[] {
  const { origin, stream_id, frontier, window_roots } = checkpoint;
  const faults: ShapeFault[] = [];
  if (!origin.endsWith(`/${stream_id}`))
    faults.push({ path: `${path}/origin`, message: "The origin does not end in / and the stream id." });
  const before = (window_roots[0]?.window_no ?? 1) - 1;
  if (before + window_roots.length > Number.MAX_SAFE_INTEGER)
    faults.push({ path: `${path}/window_roots`, message: "No tree has room for that many windows." });
  if (frontier !== undefined && frontier.length !== frontierLength(before)) {
    const message =
      `The frontier of ${before} windows has ${frontierLength(before)} ` + `hashes, and ${frontier.length} are there.`;
    faults.push({ path: `${path}/frontier`, message });
  }
  return faults;
}

/** Returns the witnesses that the verifier pins, for checkpoints whose policy is not shown. */
export function pinnedWitnesses({ kernel, trustedWitnesses }: Examination): KnownWitnesses {
  return new KnownWitnesses(kernel, null, trustedWitnesses);
}

/**
 * Examines a standalone checkpoint. Returns its cosignatures; only those of pinned witnesses count, since it shows no
 * policy.
 */
export function examineStandaloneCheckpoint(exam: Examination, checkpoint: Checkpoint): Cosignatures {
  const { checkpoint_id, stream_id, to_seq_no } = checkpoint;
  exam.subject = { id: checkpoint_id, stream_id, to_seq_no };
  exam.origin = checkpoint.origin;
  examineListedWindows(exam, checkpoint, "");
  examineRoot(exam, checkpoint, "");
  const cosignatures = new Cosignatures(exam, asCosigned(exam.kernel, checkpoint), pinnedWitnesses(exam));
  examineCheckpoint(exam, checkpoint, cosignatures, "");
  return cosignatures;
}

/**
 * Checks that the listed windows are a run that ends at the count, and that numbers, heads and the previous hash fit.
 */
export function examineListedWindows(exam: Examination, checkpoint: Checkpoint, path: string): void {
  const { checkpoint_no, window_count, window_roots, to_seq_no, previous_checkpoint_hash } = checkpoint;
  exam.looked("checkpoint_root");
  let isRun = true;
  window_roots.forEach((window, index) => {
    const previous = window_roots[index - 1];
    const follows =
      previous === undefined
        ? window.from_seq_no >= window.window_no && (window.window_no === 1) === (window.from_seq_no === 1)
        : window.window_no === previous.window_no + 1 && window.from_seq_no === previous.to_seq_no + 1;
    if (!follows || window.to_seq_no < window.from_seq_no) isRun = false;
  });
  // Each checkpoint before this one covers at least one window.
  if (checkpoint_no > (window_roots[0]?.window_no ?? 0)) isRun = false;
  const last = window_roots.at(-1);
  if (last?.window_no !== window_count || last.to_seq_no !== to_seq_no) isRun = false;
  exam.expect("checkpoint_root", isRun, {
    code: "checkpoint_window_mismatch",
    path: `${path}/window_roots`,
    message: `Checkpoint ${checkpoint_no} does not list a run of windows that ends at its window count and last event.`,
  });
  const isFirst = checkpoint_no === 1;
  const startsAtOne = window_roots[0]?.window_no === 1;
  exam.expect("checkpoint_root", isFirst === startsAtOne && isFirst === (previous_checkpoint_hash === ZERO_HASH), {
    code: "previous_checkpoint_mismatch",
    path: `${path}/previous_checkpoint_hash`,
    message: "Checkpoint 1, and only checkpoint 1, starts at window 1 and follows 64 zeros.",
  });
  const head = headHash(exam.kernel, checkpoint.stream_id, to_seq_no, checkpoint.latest_event_hash);
  exam.expectEqual("checkpoint_root", "head_hash_mismatch", checkpoint.stream_head_hash, head, {
    path: `${path}/stream_head_hash`,
    message: `The stream head of checkpoint ${checkpoint_no} is not that of its latest event.`,
    count: false,
  });
}

/** Checks a checkpoint's seal and its note, and passes the note's other lines to its cosignatures. */
export function examineCheckpoint(
  exam: Examination,
  checkpoint: Checkpoint,
  cosignatures: Cosignatures,
  path: string,
): void {
  const { checkpoint_no, stream_id, created_at, to_seq_no } = checkpoint;
  exam.seal("checkpoint_seal", "checkpoint", checkpointBody(checkpoint), checkpoint.seal, {
    path: `${path}/seal`,
    what: `checkpoint ${checkpoint_no}`,
    streamId: stream_id,
    ownTime: created_at,
    eventNo: to_seq_no,
  });
  const head = {
    origin: checkpoint.origin,
    size: checkpoint.window_count,
    rootHash: checkpoint.checkpoint_root,
    kid: checkpoint.seal.kid,
    what: `checkpoint ${checkpoint_no}`,
  };
  const note = examineOwnNote(exam, head, checkpoint.note, `${path}/note`);
  if (note !== null) cosignatures.addNote(note, `${path}/note`);
}
