/**
 * The memory of a monitor, in a separate file: the last checkpoints that it has verified, whole, so that a
 * contradiction can be proved later, and the receipts that it has found covered. The file is replaced as a whole, and
 * is on the disk before the monitor says what it has seen.
 */
import { existsSync, realpathSync } from "node:fs";
import { type Checkpoint, detectKind, type Json, type Kernel } from "@svc/core";
import { EXIT, Refusal } from "../exit.ts";
import { readInput } from "../input.ts";
import { replaceFile } from "../trust/replace-file.ts";

const FORMAT = "svc-watch";
const VERSION = 1;
/**
 * So many checkpoints are remembered: two of one number contradict each other by themselves, and of two numbers hardly
 * any do.
 */
const REMEMBERED = 64;

/** The memory of one stream. */
export interface WatchState {
  readonly streamId: string;
  /** The newest checkpoints that were seen, ascending. */
  readonly checkpoints: readonly Checkpoint[];
  /** The event hashes of receipts that the service has shown in a checkpoint. */
  readonly covered: readonly string[];
}

/** Reads the file; a missing one remembers nothing. Refuses one of another stream, or of any other form (64). */
export async function readState(kernel: Kernel, path: string, streamId: string): Promise<WatchState> {
  if (!existsSync(path)) return { streamId, checkpoints: [], covered: [] };
  const parsed = kernel.parseJson(await readInput(path));
  const value = (parsed.ok ? parsed.value : null) as Readonly<Record<string, Json>> | null;
  const { format, version, stream_id, checkpoints, covered } = value ?? {};
  const isOurs = format === FORMAT && version === VERSION && Array.isArray(checkpoints) && Array.isArray(covered);
  if (!isOurs || !checkpoints.every((one: Json) => detectKind(one) === "checkpoint"))
    throw new Refusal(
      EXIT.usage,
      `"${path}" is not what svc watch remembers.`,
      "Name its own file with --state, or a new one. Without the old one a watch begins anew, and cannot see " +
        "what came before.",
    );
  if (stream_id !== streamId)
    throw new Refusal(
      EXIT.usage,
      `"${path}" is about another stream: ${String(stream_id)}.`,
      "Give each stream its own file.",
    );
  return {
    streamId,
    checkpoints: checkpoints as unknown as readonly Checkpoint[],
    covered: covered as readonly string[],
  };
}

/** Writes the file, and returns when it is on the disk. */
export function writeState(kernel: Kernel, path: string, { streamId, checkpoints, covered }: WatchState): void {
  const newest = checkpoints.slice(-REMEMBERED);
  const state = { format: FORMAT, version: VERSION, stream_id: streamId, checkpoints: newest, covered: [...covered] };
  try {
    const text = `${new TextDecoder().decode(kernel.canonicalize(state as unknown as Json))}\n`;
    replaceFile(existsSync(path) ? realpathSync(path) : path, text);
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    throw new Refusal(
      EXIT.internal,
      `Cannot write "${path}": the system says ${code}.`,
      "What was seen is not remembered. Name a file in a folder of a local disk.",
    );
  }
}
