/**
 * Chooses the content of an audit pack, and writes the bundle in pieces. It reads much, so it runs beside the answering
 * thread. It does NOT check permissions or record the pack: create-pack.ts does.
 */
import { writeBundle } from "@svc/core";
import { latest } from "@svc/host/clock";
import type { Reader } from "@svc/host/store";
import type { ReadContext } from "../context.ts";
import { findStream, type StreamRow } from "../streams/streams-store.ts";
import {
  type ChosenEvidence,
  choiceOf,
  collectEvidence,
  type EventRange,
  openCheckpointOver,
} from "./collect-evidence.ts";
import { collectForks } from "./collect-forks.ts";
import type { MissingEvidence } from "./missing-evidence.ts";
import { noPayloads, payloadsOfRange, recordsOf, rowsOfRange } from "./read-records.ts";

/** A range of a tenant's stream, the earlier choice for it or null, and how patient the choice is. */
export interface PackAsked {
  readonly tenantId: string;
  readonly streamId: string;
  readonly range: EventRange;
  readonly kept: PackRecord | null;
  /** Whether cosignatures were waited for: a policy can let a pack go without them then. */
  readonly hasWaited: boolean;
}

/** The choice for a pack, from which the same pack can be made again. */
export type PackRecord = ChosenEvidence & {
  readonly bundle_id: string;
  readonly created_at: string;
};

/** The evidence of a pack, and its range, extended to whole windows and checkpoints. */
export interface PackChosen {
  readonly evidence: ChosenEvidence;
  readonly extended: EventRange;
  readonly lastCheckpointId: string;
}

/** A pack to be written. */
export interface ChosenPack extends Omit<PackAsked, "kept" | "hasWaited"> {
  readonly payloads: "included" | "redacted";
  readonly record: PackRecord;
}

/** Resolves to the choice, or to the missing steps. Rejects with `range_too_large`. */
export function choosePack({ database, kernel }: ReadContext, asked: PackAsked): Promise<PackChosen | MissingEvidence> {
  return database.read(async (reader) => {
    const stream = await streamOf(reader, asked);
    const open =
      asked.hasWaited && asked.kept === null ? await openCheckpointOver(reader, stream, asked.range.to_seq_no) : null;
    const chosen = open === null ? asked.kept : { window_count: open.checkpoint.window_count, statements: null };
    const evidence = await collectEvidence(reader, kernel, stream, asked.range, chosen);
    if ("missing" in evidence) return evidence;
    const { from_seq_no, to_seq_no, checkpoints } = evidence;
    const { forks, witnesses } = await collectForks(reader, kernel, asked.streamId, evidence, asked.kept);
    return {
      evidence: { ...choiceOf({ ...evidence, witnesses }, forks), ...(open === null ? {} : { lacksQuorum: true }) },
      extended: { from_seq_no, to_seq_no },
      lastCheckpointId: checkpoints.at(-1)?.checkpoint_id ?? "",
    };
  });
}

/**
 * Resolves to the number of events whose payloads were compared with their hashes, because some of them are in the
 * archive. Rejects with `archive_unavailable` or `archive_damaged`: an answer that has begun can only be cut off.
 */
export async function checkArchived(
  { database, archived }: ReadContext,
  { tenantId, streamId, range }: Pick<PackAsked, "tenantId" | "streamId" | "range">,
): Promise<number> {
  if (!(await archived.holdsAny(database, streamId, range))) return 0;
  const stream = { tenant_id: tenantId, stream_id: streamId };
  let checked = 0;
  for await (const rows of rowsOfRange({ database, archived }, stream, range, { payloads: "included" }))
    checked += rows.length;
  return checked;
}

/** Yields the bundle as canonical JSON, which verifiers read fastest and in the least memory. */
export async function* writePack(context: ReadContext, chosen: ChosenPack): AsyncGenerator<Uint8Array> {
  const { database, archived, kernel, signingKey } = context;
  const { payloads, record } = chosen;
  const { stream, evidence, signer, carried } = await database.read(async (reader) => {
    const stream = await streamOf(reader, chosen);
    const evidence = await collectEvidence(reader, kernel, stream, chosen.range, record);
    // The evidence existed when it was chosen, and evidence never disappears.
    if ("missing" in evidence) throw new Error(`evidence of pack ${record.bundle_id} is missing from the database`);
    return {
      stream,
      evidence: { ...evidence, ...(await collectForks(reader, kernel, chosen.streamId, evidence, record)) },
      signer: await signingKey.current(reader),
      carried: await signingKey.carried(reader),
    };
  });
  yield* writeBundle(kernel, signer, {
    bundle_id: record.bundle_id,
    // A pack that is repeated after a rotation is sealed by a key that was not valid when it was first made.
    created_at: latest(record.created_at, signer.validFrom),
    stream_id: stream.stream_id,
    ...evidence,
    records: recordsOf(database, stream, evidence),
    payloads: payloads === "included" ? payloadsOfRange({ database, archived }, stream, evidence) : noPayloads(),
    ...carried,
  });
}

async function streamOf(
  reader: Reader,
  { tenantId, streamId }: Pick<PackAsked, "tenantId" | "streamId">,
): Promise<StreamRow> {
  const stream = await findStream(reader, tenantId, streamId);
  if (stream === null) throw new Error(`stream ${streamId} is missing from the database`);
  return stream;
}
