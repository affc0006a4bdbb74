/** Checks what the service's own witness remembers against the checkpoints of the streams. */
import { type Checkpoint, checkpointText, hexToBytes, parseNote } from "@svc/core";
import type { Fault } from "@svc/host/checks";
import type { CheckContext } from "../check-context.ts";
import { DataFolderError } from "../data-folder/data-folder.ts";
import type { RememberedTree } from "../witness-memory/memory-store.ts";
import { documentOf } from "./document-of.ts";
import { rootOf } from "./frontier.ts";
import { rawCheckpoint } from "./rows-store.ts";

/** The table that a fault of the memory names. */
export const WITNESS_TABLE = "witness.db";
/** The number of trees that are read at a time. */
const PORTION = 500;

/**
 * Yields the faults of that memory, where it is here: each last signed tree must be that of a checkpoint. The memory is
 * read before the database: a server beside this check signs only what it has committed.
 */
export async function* checkWitnessMemory(context: CheckContext): AsyncGenerator<Fault> {
  const { witnessMemory } = context;
  if (witnessMemory === null) return;
  try {
    for (let after = ""; ; ) {
      const trees = await witnessMemory.list(after, PORTION);
      for (const tree of trees) {
        const fault = tree.isGivenUp ? null : await faultOf(context, tree);
        if (fault !== null) yield { table: WITNESS_TABLE, row: { origin: tree.origin }, fault };
      }
      const last = trees.at(-1);
      if (last === undefined) return;
      after = last.origin;
    }
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error;
    yield { table: WITNESS_TABLE, row: {}, fault: error.message };
  }
}

async function faultOf({ database, kernel }: CheckContext, tree: RememberedTree): Promise<string | null> {
  const { origin, treeSize, frontier, note } = tree;
  const streamId = origin.slice(origin.lastIndexOf("/") + 1);
  const row = await database.read((reader) => rawCheckpoint(reader, streamId, treeSize));
  if (row === null) return `the witness has signed ${treeSize} windows, and no checkpoint is over so many`;
  const checkpoint = documentOf<Checkpoint>(kernel, row);
  // That is a fault of the checkpoint, and told as such.
  if (checkpoint === null) return null;
  const { checkpoint_root } = checkpoint;
  const root = rootOf(kernel, frontier);
  if (root !== checkpoint_root)
    return `the witness has signed the root ${root} of ${treeSize} windows, and the checkpoint has ${checkpoint_root}`;
  const text = checkpointText(origin, treeSize, hexToBytes(checkpoint_root));
  return parseNote(note)?.text === text ? null : `its note is not that of its ${treeSize} windows`;
}
