/** Checks what the service's own witness remembers of a stream against the stream's checkpoints. */
import { checkpointText, type HashHex, hexToBytes, type Kernel, parseNote } from "@svc/core";
import type { Fault } from "@svc/host/checks";
import type { CheckContext } from "../check-context.ts";
import { DataFolderError } from "../data-folder/data-folder.ts";
import type { StreamRow } from "../streams/streams-store.ts";
import { checkpointByWindowCount } from "./checkpoints-store.ts";
import { frontierRoot } from "./frontier.ts";

/** The table that a fault of the memory names. */
export const WITNESS_TABLE = "witness.db";

/** Resolves to the fault of a memory that cannot be read at all; null if it can, or is not here. */
export async function damagedMemory({ witnessMemory, origin }: CheckContext): Promise<Fault | null> {
  try {
    await witnessMemory?.of(origin);
    return null;
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error;
    return { table: WITNESS_TABLE, row: {}, fault: error.message };
  }
}

/** Yields the faults of that memory, where it is here: the last signed tree must be that of a checkpoint. */
export async function* checkWitnessMemory(
  { database, kernel, origin, witnessMemory }: CheckContext,
  { stream_id }: StreamRow,
): AsyncGenerator<Fault> {
  const row = { origin: `${origin}/${stream_id}` };
  const tree = (await witnessMemory?.of(row.origin)) ?? null;
  if (tree === null || tree.isGivenUp) return;
  const { treeSize, frontier, note } = tree;
  const stored = await database.read((reader) => checkpointByWindowCount(reader, stream_id, treeSize));
  const fault = (what: string): Fault => ({ table: WITNESS_TABLE, row, fault: what });
  if (stored === null) {
    yield fault(`the witness has signed ${treeSize} windows, and no checkpoint is over so many`);
    return;
  }
  const { checkpoint_root } = stored.checkpoint;
  const root = rootOf(kernel, frontier);
  if (root !== checkpoint_root)
    yield fault(
      `the witness has signed the root ${root} of ${treeSize} windows, and the checkpoint has ${checkpoint_root}`,
    );
  else if (parseNote(note)?.text !== checkpointText(row.origin, treeSize, hexToBytes(checkpoint_root)))
    yield fault(`its note is not that of its ${treeSize} windows`);
}

/** Returns the root of a frontier; null if it is none. */
function rootOf(kernel: Kernel, frontier: readonly HashHex[]): HashHex | null {
  try {
    return frontierRoot(kernel, frontier);
  } catch {
    return null;
  }
}
