/**
 * Chooses the next range of a stream to be archived: whole witnessed checkpoints, all of whose times are older than the
 * age. Only where one checkpoint has more than fits into a file is it divided.
 */
import type { Reader } from "@svc/host/store";
import { awaitsAnchor } from "../packs/anchor-demand.ts";
import { lastWithin } from "../packs/pack-size-store.ts";
import { firstWitnessedOver, lastWitnessedWithin } from "../sealing/checkpoints-store.ts";
import { windowOfEvent } from "../sealing/windows-store.ts";
import { type ArchivedStream, lastReceivedBy } from "./archives-store.ts";
import { MAX_ARCHIVE_PAYLOAD_BYTES, MAX_EVIDENCE_EVENTS } from "./limits.ts";

/** A range to be archived. */
export interface ChosenRange {
  readonly stream_id: string;
  readonly tenant_id: string;
  readonly from_seq_no: number;
  readonly to_seq_no: number;
  /** Whether its evidence is too large for a file, so that its payloads stay in the database. */
  readonly isLeft: boolean;
}

/** The times by which ranges are chosen. */
export interface ArchiveTimes {
  /** Whatever is newer stays in the database. */
  readonly newest: string;
  /** A range whose first event is newer waits until a file is full. */
  readonly waits: string;
}

/** How often an earlier checkpoint is tried, where one was made long after its events. */
const MAX_TRIES = 8;

/** Resolves to the range; null if none is due. `mostEvents`: of a file. */
export async function chooseRange(
  reader: Reader,
  stream: ArchivedStream,
  { newest, waits }: ArchiveTimes,
  mostEvents: number,
): Promise<ChosenRange | null> {
  const { stream_id, tenant_id, archived_to, first_received_at } = stream;
  const from_seq_no = archived_to + 1;
  const most = { from: from_seq_no, to: archived_to + mostEvents };
  const old = await lastReceivedBy(reader, stream_id, most, newest);
  if (old === 0) return null;
  const fitting = { from_seq_no, to_seq_no: old };
  const last = await lastWithin(reader, stream_id, fitting, MAX_ARCHIVE_PAYLOAD_BYTES);
  const isFull = last < old || old === most.to;
  if (!isFull && first_received_at > waits) return null;
  for (let [within, tries] = [last, 0]; tries < MAX_TRIES; tries++) {
    const edge = await lastWitnessedWithin(reader, stream_id, from_seq_no, within);
    if (edge === null && (!isFull || tries > 0)) return null;
    const to_seq_no = edge ?? within;
    const over = await firstWitnessedOver(reader, stream_id, to_seq_no);
    // Without the anchor that its policy requires, the file would not verify.
    if (over === null || (await awaitsAnchor(reader, tenant_id, over.checkpoint))) return null;
    const { created_at, to_seq_no: end } = over.checkpoint;
    if (created_at <= newest) {
      const first = await windowOfEvent(reader, stream_id, from_seq_no);
      if (first === null) return null;
      const isLeft = end - first.from_seq_no + 1 > MAX_EVIDENCE_EVENTS;
      return { stream_id, tenant_id, from_seq_no, to_seq_no: isLeft ? end : to_seq_no, isLeft };
    }
    within = to_seq_no - 1;
  }
  return null;
}
