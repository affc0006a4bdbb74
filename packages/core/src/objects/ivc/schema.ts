/**
 * The shape of an IVC epoch: a run of checkpoints folded into one state, which this release verifies by folding them
 * again (protocol section 32). It fixes the statement, so that a short proof of the same statement can come later.
 */
import type { JsonObject } from "../../kernel/kernel.ts";
import { Closed, Count, Hash, OneOf, Ordinal, ServiceTime, StreamId, StreamOrigin } from "../../schema/atoms.ts";
import * as Type from "../../schema/type.ts";
import { IvcEpochId, NullableObject, NullableTextOf, TextOf } from "../../schema/vault-atoms.ts";
import { IvcSeal } from "../../seal.ts";
import { Checkpoint } from "../checkpoint.ts";
import { KeyEndorsements, KeyHints } from "../key-endorsement.ts";

/** The only program: it folds the checkpoints of one stream. */
export const IVC_PROGRAM = "svc-checkpoint-chain/1";
/** The only construction that is admitted: the verifier folds the checkpoints itself. */
export const IVC_CONSTRUCTION = "transparent-recompute/1";
/** One epoch folds so many checkpoints at most. */
export const MAX_IVC_STEPS = 1024;

/**
 * A run of checkpoints folded into one state (protocol section 32). As JSON, shortened:
 *
 * ```json
 * {"ivc_epoch_id":"ivc_01k3…","stream_id":"str_01k3…","origin":"test.example/evidence/str_01k3…","ivc_epoch_no":1,
 *  "program":"svc-checkpoint-chain/1","construction":"transparent-recompute/1","from_checkpoint_no":1,
 *  "to_checkpoint_no":2,"step_count":2,"initial_state":"7ce597…","final_state":"9c63a4…",
 *  "previous_ivc_epoch_hash":"000000…","created_at":"2026-03-01T00:00:20.000Z",
 *  "review":{"state":"pending","reference":null},"seal":{},"checkpoints":[],"proof":null}
 * ```
 */
export const IvcEpoch = Closed(
  {
    ivc_epoch_id: IvcEpochId,
    stream_id: StreamId,
    origin: StreamOrigin,
    ivc_epoch_no: Ordinal,
    program: TextOf(1, 128),
    construction: TextOf(1, 128),
    from_checkpoint_no: Ordinal,
    to_checkpoint_no: Ordinal,
    /** Any count: one that is not the range's, or no possible one, is a fault of the epoch and not of its form. */
    step_count: Count,
    initial_state: Hash,
    final_state: Hash,
    previous_ivc_epoch_hash: Hash,
    created_at: ServiceTime,
    review: Closed({ state: OneOf("pending", "reviewed"), reference: NullableTextOf(1, 512) }),
    seal: IvcSeal,
    checkpoints: Type.Optional(Type.Array(Checkpoint)),
    /** Null where the epoch is recomputed. No proof is read: no construction with one is admitted. */
    proof: NullableObject,
    key_hints: Type.Optional(KeyHints),
    key_endorsements: Type.Optional(KeyEndorsements),
  },
  { $id: "ivc-epoch" },
);
export type IvcEpoch = Type.Static<typeof IvcEpoch>;

/** Returns the members that the seal of an epoch and its hash cover. */
export function ivcEpochBody(epoch: IvcEpoch): JsonObject {
  const { seal: _seal, checkpoints: _checkpoints, proof: _proof, ...rest } = epoch;
  const { key_hints: _hints, key_endorsements: _endorsements, ...body } = rest;
  return body;
}
