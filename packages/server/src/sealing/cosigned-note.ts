/** The signed note of a checkpoint with the lines of its witnesses (protocol sections 9 and 10). */
import {
  type Checkpoint,
  checkpointText,
  cosignatureLine,
  encodeNote,
  hexToBytes,
  type Kernel,
  parseNote,
  type WitnessKey,
  type WitnessStatement,
} from "@svc/core";

/** Returns the checkpoint's own note, with a line for each statement by one of these keys. */
export function cosignedNote(
  kernel: Kernel,
  checkpoint: Checkpoint,
  keys: readonly WitnessKey[],
  statements: readonly WitnessStatement[],
): string {
  const { origin, window_count, checkpoint_root } = checkpoint;
  const own = parseNote(checkpoint.note)?.lines ?? [];
  const lines = statements.flatMap(({ witness_id, key_epoch, cosigned_at, signature }) => {
    const key = keys.find((one) => one.witness_id === witness_id && one.key_epoch === key_epoch);
    return key === undefined ? [] : [cosignatureLine(kernel, key.name, key.public_key_hex, cosigned_at, signature)];
  });
  return encodeNote(checkpointText(origin, window_count, hexToBytes(checkpoint_root)), [...own, ...lines]);
}
