/** Makes an epoch hold again around checkpoints that differ (protocol section 32). */
import { encodeHex, hexToBytes } from "../../encoding/hex.ts";
import type { NodeHash } from "../../kernel/kernel.ts";
import { asCosigned, type Checkpoint, checkpointHash } from "../../objects/checkpoint.ts";
import { frontierLength } from "../../objects/checkpoint-roots.ts";
import { type IvcEpoch, ivcEpochBody } from "../../objects/ivc/schema.ts";
import { genesisState, nextState } from "../../objects/ivc/state.ts";
import { headHash } from "../../objects/receipt.ts";
import type { HashHex } from "../../schema/atoms.ts";
import { checkpointAgain, leafOf } from "./checkpoints.ts";
import { type Forger, sealAgain } from "./forger.ts";

/** Returns an epoch whose checkpoints are chained and folded again. */
export function ivcEpochAgain(forger: Forger, _good: unknown, edited: IvcEpoch): IvcEpoch {
  const { kernel } = forger;
  const { stream_id, origin, ivc_epoch_no } = edited;
  const initial_state = ivc_epoch_no === 1 ? genesisState(kernel, stream_id, origin) : edited.initial_state;
  const checkpoints = edited.checkpoints === undefined ? undefined : runAgain(forger, edited.checkpoints);
  const final_state = (checkpoints ?? [])
    .map((checkpoint) => asCosigned(kernel, checkpoint))
    .reduce((state, checkpoint) => nextState(kernel, state, checkpoint), initial_state);
  const again = { ...edited, initial_state, final_state, ...(checkpoints === undefined ? {} : { checkpoints }) };
  return { ...again, seal: sealAgain(forger, "ivc-epoch", ivcEpochBody(again), edited.seal) };
}

/** Returns checkpoints of which each follows the one before, with the roots that their windows give. */
function runAgain(forger: Forger, checkpoints: readonly Checkpoint[]): Checkpoint[] {
  const { kernel } = forger;
  const [first] = checkpoints;
  let size = (first?.window_roots[0]?.window_no ?? 1) - 1;
  let frontier: NodeHash[] = (first?.frontier ?? []).map(hexToBytes);
  const again: Checkpoint[] = [];
  for (const checkpoint of checkpoints) {
    const before = frontier.map((hash) => encodeHex(hash) as HashHex);
    for (const { window_hash } of checkpoint.window_roots) {
      if (frontier.length !== frontierLength(size)) break;
      frontier = kernel.appendToFrontier(size, frontier, [leafOf(forger, window_hash)]);
      size++;
    }
    const { stream_id, to_seq_no, latest_event_hash } = checkpoint;
    const previous = again.at(-1);
    again.push(
      checkpointAgain(forger, {
        ...checkpoint,
        ...(checkpoint.frontier === undefined ? {} : { frontier: before }),
        checkpoint_root:
          frontier.length === 0
            ? checkpoint.checkpoint_root
            : (encodeHex(kernel.rootFromFrontier(frontier)) as HashHex),
        stream_head_hash: headHash(kernel, stream_id, to_seq_no, latest_event_hash),
        previous_checkpoint_hash:
          previous === undefined ? checkpoint.previous_checkpoint_hash : checkpointHash(kernel, previous),
      }),
    );
  }
  return again;
}
