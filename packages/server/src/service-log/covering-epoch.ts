/**
 * The epoch that evidence of a stream carries, with the checkpoint as its only member: the first one that has evidence
 * of a chain, where that is wanted, since its time is the earliest; otherwise the newest one, if it covers the
 * evidence's last checkpoint. A choice is kept by number, since the same evidence may be written again later.
 */
import { type Anchor, type AnchorMember, type Kernel, parseNote } from "@svc/core";
import type { Reader } from "@svc/host/store";
import { epochByNo, newestEpoch, noteWithLines } from "./epochs-store.ts";
import { leafOf } from "./leaves-store.ts";
import { inclusionPath } from "./log-tree.ts";
import { firstMinedOver, minedByNo } from "./mined-store.ts";

/** An epoch as it was chosen. It is a `type`, so that it is Json. */
export type ChosenEpoch = {
  readonly epoch_no: number;
  /** The lines of its note at that time: witnesses may add others. */
  readonly note_lines: number;
  /** Whether it was chosen with its evidence of a chain; missing where it was not. */
  readonly mined?: true;
};

/** Returns the choice that leads to an anchor again. */
export function chosenEpoch({ epoch_no, note, evidence }: Anchor): ChosenEpoch {
  const note_lines = parseNote(note)?.lines.length ?? 0;
  return { epoch_no, note_lines, ...(evidence === null ? {} : { mined: true as const }) };
}

/**
 * Resolves to the anchor that covers a checkpoint; null if none does. `wantsMined`: whether evidence of a chain goes
 * with it, if there is any.
 */
export async function coveringEpoch(
  reader: Reader,
  kernel: Kernel,
  checkpointId: string,
  wantsMined: boolean,
): Promise<Anchor | null> {
  const leaf = wantsMined ? await leafOf(reader, checkpointId) : null;
  const mined = leaf === null ? null : await firstMinedOver(reader, leaf.leaf_index);
  const anchor = mined ?? (await newestEpoch(reader));
  return anchor === null ? null : withMember(reader, kernel, anchor, checkpointId);
}

/** Resolves to the anchor of an earlier choice. Rejects with Error if the database does not have it any more. */
export async function chosenAnchor(
  reader: Reader,
  kernel: Kernel,
  checkpointId: string,
  { epoch_no, note_lines, mined }: ChosenEpoch,
): Promise<Anchor> {
  // The chain may have removed the evidence since: then the epoch is published, as it was before.
  const withEvidence = mined === true ? await minedByNo(reader, epoch_no) : null;
  const anchor = withEvidence ?? (await epochByNo(reader, epoch_no));
  const found = anchor === null ? null : await withMember(reader, kernel, anchor, checkpointId);
  if (found === null)
    throw new Error(`epoch ${epoch_no} of the service log, or a checkpoint in it, is missing from the database`);
  return { ...found, note: noteWithLines(found.note, note_lines) };
}

async function withMember(
  reader: Reader,
  kernel: Kernel,
  anchor: Anchor,
  checkpointId: string,
): Promise<Anchor | null> {
  const member = await memberOf(reader, kernel, anchor, checkpointId);
  return member === null ? null : { ...anchor, members: [member] };
}

/** Resolves to a checkpoint's place in an epoch, with its path; null if the epoch does not cover it. */
export async function memberOf(
  reader: Reader,
  kernel: Kernel,
  { log_size }: Anchor,
  checkpointId: string,
): Promise<AnchorMember | null> {
  const leaf = await leafOf(reader, checkpointId);
  if (leaf === null || leaf.leaf_index >= log_size) return null;
  const { checkpoint_id, checkpoint_hash, leaf_index } = leaf;
  const inclusion_path = await inclusionPath(reader, kernel, leaf_index, log_size);
  return { checkpoint_id, checkpoint_hash, leaf_index, inclusion_path };
}
