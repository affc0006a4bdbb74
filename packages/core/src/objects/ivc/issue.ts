/** Issues an epoch over a run of checkpoints (protocol section 32). */
import type { Kernel } from "../../kernel/kernel.ts";
import { digest, ZERO_HASH } from "../../protocol.ts";
import type { HashHex } from "../../schema/atoms.ts";
import { makeSeal, type Signer } from "../../seal.ts";
import { asCosigned, type Checkpoint } from "../checkpoint.ts";
import { IVC_CONSTRUCTION, IVC_PROGRAM, type IvcEpoch, ivcEpochBody, MAX_IVC_STEPS } from "./schema.ts";
import { genesisState, nextState } from "./state.ts";

/** The input of an epoch. */
export interface IvcEpochInput {
  readonly ivc_epoch_id: string;
  /** The epoch before; null for the first, which starts at checkpoint 1. */
  readonly previous: IvcEpoch | null;
  /** The checkpoints, in order, from the one after the previous epoch's last; 1 to 1024. */
  readonly checkpoints: readonly Checkpoint[];
  readonly created_at: string;
  readonly review?: IvcEpoch["review"];
}

/**
 * Returns the hash by which the next epoch names this one (protocol section 32), 64 lowercase hex characters. It checks
 * nothing.
 *
 * @example
 * const epoch = await issueIvcEpoch(kernel, signer, {
 *   ivc_epoch_id: "ivc_01k3zjv5c7m5n0rhd0sxkqgx2t",
 *   previous: null,
 *   checkpoints: [checkpoint],
 *   created_at: "2026-03-01T08:30:20.000Z",
 * });
 * console.log(ivcEpochHash(kernel, epoch).length); // 64
 */
export function ivcEpochHash(kernel: Kernel, epoch: IvcEpoch): HashHex {
  return digest(kernel, "ivc-epoch", ivcEpochBody(epoch));
}

/**
 * Folds checkpoints into an epoch and seals it (protocol section 32). `signer`: the service's key. `input`: the epoch
 * before and the checkpoints after it; the first of them needs its frontier unless it lists window 1. Resolves to the
 * epoch with its checkpoints. Rejects with RangeError for no checkpoint, more than 1024, or a first one that does not
 * follow the epoch before. It does not check the checkpoints: `verify` does.
 *
 * @example
 * const epoch = await issueIvcEpoch(kernel, signer, {
 *   ivc_epoch_id: "ivc_01k3zjv5c7m5n0rhd0sxkqgx2t",
 *   previous: null,
 *   checkpoints: [checkpoint],
 *   created_at: "2026-03-01T08:30:20.000Z",
 * });
 * console.log(epoch.step_count); // 1
 */
export async function issueIvcEpoch(kernel: Kernel, signer: Signer, input: IvcEpochInput): Promise<IvcEpoch> {
  const { previous, checkpoints } = input;
  const [first, last] = [checkpoints[0], checkpoints.at(-1)];
  if (first === undefined || last === undefined || checkpoints.length > MAX_IVC_STEPS)
    throw new RangeError(`an epoch folds 1 to ${MAX_IVC_STEPS} checkpoints`);
  if (first.checkpoint_no !== (previous?.to_checkpoint_no ?? 0) + 1)
    throw new RangeError(`checkpoint ${first.checkpoint_no} does not follow the epoch before`);
  const { stream_id, origin } = first;
  const initial_state = previous?.final_state ?? genesisState(kernel, stream_id, origin);
  const body = {
    ivc_epoch_id: input.ivc_epoch_id,
    stream_id,
    origin,
    ivc_epoch_no: (previous?.ivc_epoch_no ?? 0) + 1,
    program: IVC_PROGRAM,
    construction: IVC_CONSTRUCTION,
    from_checkpoint_no: first.checkpoint_no,
    to_checkpoint_no: last.checkpoint_no,
    step_count: checkpoints.length,
    initial_state,
    final_state: checkpoints
      .map((one) => asCosigned(kernel, one))
      .reduce((state, one) => nextState(kernel, state, one), initial_state),
    previous_ivc_epoch_hash: previous === null ? ZERO_HASH : ivcEpochHash(kernel, previous),
    created_at: input.created_at,
    review: input.review ?? { state: "pending" as const, reference: null },
  };
  const seal = await makeSeal(kernel, "ivc-epoch", body, signer);
  return { ...body, seal, checkpoints: [...checkpoints], proof: null };
}
