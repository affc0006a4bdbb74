/**
 * Chooses the content of an audit pack, and writes the bundle in pieces. It reads much, so it runs beside the answering
 * thread. It does NOT check permissions or record the pack: create-pack.ts does.
 */
import { writeBundle } from "@svc/core";
import { latest } from "@svc/host/clock";
import type { Reader } from "@svc/host/store";
import type { ReadContext } from "../reading/reads.ts";
import { findStream, type StreamRow } from "../streams/streams-store.ts";
import { type ChosenEvidence, collectEvidence, type EventRange, statementName } from "./collect-evidence.ts";
import type { MissingEvidence } from "./missing-evidence.ts";
import { noPayloads, payloadsOfRange, recordsOf } from "./read-records.ts";

/** A range of a tenant's stream, and the earlier choice for it; null if there is none. */
export interface PackAsked {
  readonly tenantId: string;
  readonly streamId: string;
  readonly range: EventRange;
  readonly kept: PackRecord | null;
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
}

/** A pack to be written. */
export interface ChosenPack extends Omit<PackAsked, "kept"> {
  readonly payloads: "included" | "redacted";
  readonly record: PackRecord;
}

/** Resolves to the choice, or to the missing steps. Rejects with `range_too_large`. */
export function choosePack({ database, kernel }: ReadContext, asked: PackAsked): Promise<PackChosen | MissingEvidence> {
  return database.read(async (reader) => {
    const stream = await streamOf(reader, asked);
    const evidence = await collectEvidence(reader, kernel, stream, asked.range, asked.kept);
    if ("missing" in evidence) return evidence;
    const { from_seq_no, to_seq_no, checkpoints, witnesses } = evidence;
    return {
      evidence: {
        window_count: checkpoints.at(-1)?.window_count ?? 0,
        statements: witnesses.statements.map(statementName),
      },
      extended: { from_seq_no, to_seq_no },
    };
  });
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
      evidence,
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
