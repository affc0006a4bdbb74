/**
 * The routes of sealed evidence: windows, checkpoints and consistency, public one by one, and the lists of a stream.
 */
import { atoms, schemas } from "@svc/core";
import Type from "typebox";
import { contract } from "../contract.ts";
import { numberedPage, PageOf } from "../pages.ts";
import { flag, requiredText, text } from "../parameters.ts";

const Reach = Type.Integer({ minimum: 0 });

/**
 * Whether a witness has cosigned the latest checkpoint: it has, or is waited for; its last try failed, for the reason
 * in `problem`; it has no address in `SVC_WITNESSES`; or the time of its keys is over.
 */
const WitnessState = atoms.Closed({
  witness_id: atoms.Slug,
  name: atoms.KeyName,
  /** Whether it is the service's own, which is not independent. */
  managed: Type.Boolean(),
  state: atoms.OneOf("cosigned", "waiting", "failing", "unaddressed", "ended"),
  problem: Type.Union([
    atoms.Closed({
      /** The cause; null for a fault of this server. */
      code: Type.Union([Type.String(), Type.Null()]),
      message: Type.String(),
      attempts: atoms.Count,
      next_attempt_at: atoms.ServiceTime,
    }),
    Type.Null(),
  ]),
});

/**
 * How far the anchoring of the latest checkpoint is: no epoch of the service log covers it yet; one does; the epoch is
 * sent to the chain; it is in a block; it is final, and its evidence is kept; or its transaction came to nothing, and
 * it is sent again. `problem`: why it does not go on.
 */
const AnchorState = atoms.Closed({
  /** The demand of the policy. */
  demand: atoms.OneOf("none", "optional", "required"),
  state: atoms.OneOf("waiting", "published", "pending", "mined", "confirmed", "failed"),
  epoch_no: Type.Union([atoms.Ordinal, Type.Null()]),
  network: Type.Union([Type.String(), Type.Null()]),
  contract: Type.Union([Type.String(), Type.Null()]),
  tx_hash: Type.Union([Type.String(), Type.Null()]),
  block_number: Type.Union([atoms.Count, Type.Null()]),
  problem: Type.Union([
    atoms.Closed({
      /** The cause; null for a fault of this server. */
      code: Type.Union([Type.String(), Type.Null()]),
      message: Type.String(),
      since: Type.Union([atoms.ServiceTime, Type.Null()]),
    }),
    Type.Null(),
  ]),
});

/**
 * How far the evidence of a stream has come, by event numbers; 0 if it has none yet.
 *
 * ```json
 * {
 *   "stream_id": "str_01m83pvjb9dgqtbk125jrgxpxv", "head_seq_no": 2, "windowed_to_seq_no": 2,
 *   "checkpointed_to_seq_no": 2, "witnessed_to_seq_no": 2, "published_to_seq_no": 2,
 *   "anchored_to_seq_no": 0, "latest_window_id": "win_01m83pvjf8786nz9y5k2ys9j4q",
 *   "latest_checkpoint_id": "chk_01m83pvjfat26hr0bf50h6x208",
 *   "witnesses": [
 *     {
 *       "witness_id": "managed", "name": "evidence.example.com/witness", "managed": true, "state": "cosigned",
 *       "problem": null
 *     }
 *   ],
 *   "anchor": {
 *     "demand": "optional", "state": "published", "epoch_no": 1, "network": null, "contract": null, "tx_hash": null,
 *     "block_number": null, "problem": null
 *   }
 * }
 * ```
 */
export const ProofState = atoms.Closed({
  stream_id: atoms.StreamId,
  head_seq_no: Reach,
  windowed_to_seq_no: Reach,
  checkpointed_to_seq_no: Reach,
  witnessed_to_seq_no: Reach,
  published_to_seq_no: Reach,
  anchored_to_seq_no: Reach,
  latest_window_id: Type.Union([atoms.WindowId, Type.Null()]),
  latest_checkpoint_id: Type.Union([atoms.CheckpointId, Type.Null()]),
  /** The witnesses that the policy of the latest checkpoint lists. */
  witnesses: Type.Array(WitnessState),
  /** The anchoring of the latest checkpoint, or null. */
  anchor: Type.Union([AnchorState, Type.Null()]),
});
export type ProofState = Type.Static<typeof ProofState>;

export const window = contract({
  method: "GET",
  path: "/v2/windows/{windowId}",
  chapter: "evidence",
  summary: "A window.",
  access: "public",
  query: {
    leaves: flag("all event hashes of the window"),
    event: text("the inclusion of one event, named by its sequence number or id"),
  },
  answer: { status: 200, description: "The window.", schema: schemas.Window },
  errors: ["window_not_found", "event_not_in_window"],
});

export const checkpoint = contract({
  method: "GET",
  path: "/v2/checkpoints/{checkpointId}",
  chapter: "evidence",
  summary: "A checkpoint, with the frontier from which its root can be recomputed.",
  access: "public",
  answer: { status: 200, description: "The checkpoint.", schema: schemas.Checkpoint },
  errors: ["checkpoint_not_found"],
});

export const note = contract({
  method: "GET",
  path: "/v2/checkpoints/{checkpointId}/note",
  chapter: "evidence",
  summary: "A checkpoint as a C2SP signed note, with the cosignatures so far.",
  access: "public",
  answer: { status: 200, description: "The note.", schema: Type.String(), mediaType: "text/plain" },
  errors: ["checkpoint_not_found"],
});

export const tlogPolicy = contract({
  method: "GET",
  path: "/v2/checkpoints/{checkpointId}/tlog-policy",
  chapter: "evidence",
  summary:
    "The C2SP tlog-policy for the notes of a checkpoint's stream: lines of its log, its witnesses and its quorum.",
  description:
    "The keys are the service's word: compare them with what you got another way before a program relies on " +
    "them. A witness that has changed its key counts once.",
  access: "public",
  answer: { status: 200, description: "The policy.", schema: Type.String(), mediaType: "text/plain" },
  errors: ["checkpoint_not_found"],
});

export const epoch = contract({
  method: "GET",
  path: "/v2/ivc/epochs/{ivcEpochId}",
  chapter: "evidence",
  summary: "An epoch of incrementally verifiable computation.",
  description: "This release makes no such epochs: the answer is always `ivc_epoch_not_found`.",
  access: "public",
  answer: { status: 200, description: "The epoch; its form is reserved.", schema: Type.Object({}) },
  errors: ["ivc_epoch_not_found"],
});

export const proofState = contract({
  method: "GET",
  path: "/v2/streams/{streamId}/proof-state",
  chapter: "streams",
  summary: "How far the proofs of a stream reach.",
  access: "system",
  answer: {
    status: 200,
    description:
      "The last event that is recorded, windowed, checkpointed, witnessed to its policy's threshold, published " +
      "in the service log, and anchored in a chain; and the witnesses and the anchor of the latest checkpoint.",
    schema: ProofState,
  },
  errors: ["stream_forbidden", "stream_not_found"],
});

export const windows = contract({
  method: "GET",
  path: "/v2/streams/{streamId}/windows",
  chapter: "streams",
  summary: "The windows of a stream, in order.",
  access: "system",
  query: numberedPage,
  answer: { status: 200, description: "A page of windows.", schema: PageOf(schemas.Window) },
  errors: ["stream_forbidden", "stream_not_found"],
});

export const checkpoints = contract({
  method: "GET",
  path: "/v2/streams/{streamId}/checkpoints",
  chapter: "streams",
  summary: "The checkpoints of a stream, in order.",
  access: "system",
  query: numberedPage,
  answer: { status: 200, description: "A page of checkpoints.", schema: PageOf(schemas.Checkpoint) },
  errors: ["stream_forbidden", "stream_not_found"],
});

export const consistency = contract({
  method: "GET",
  path: "/v2/checkpoints/{checkpointId}/consistency",
  chapter: "evidence",
  summary: "The proof that a checkpoint extends an earlier one.",
  access: "public",
  query: { from: requiredText("the id of the earlier checkpoint") },
  answer: { status: 200, description: "Consistency evidence.", schema: schemas.Consistency },
  errors: ["checkpoint_not_found", "checkpoint_not_earlier"],
});
