/**
 * The missing steps of a stream's evidence up to an event. They are a value: functions that collect evidence return it,
 * and only a route turns it into the refusal `evidence_missing`.
 */
import { ServiceError } from "@svc/host/errors";
import type { Reader } from "@svc/host/store";
import { newestWitnessedSeqNo } from "../sealing/checkpoints-store.ts";
import { anchoredSeqNo } from "../service-log/published.ts";
import type { StreamRow } from "../streams/streams-store.ts";

/** A kind of evidence that does not reach as far as it is needed. It is a `type`, so that it is Json. */
export type MissingStep = {
  readonly evidence: "events" | "windows" | "checkpoints" | "witness_statements" | "anchor";
  readonly reaches_to_seq_no: number;
  readonly needed_to_seq_no: number;
};

/** All missing steps up to an event, in the order in which they are made. */
export interface MissingEvidence {
  readonly stream_id: string;
  readonly to_seq_no: number;
  readonly missing: readonly MissingStep[];
}

/** Resolves to the steps that a stream lacks up to an event. */
export async function missingEvidence(reader: Reader, stream: StreamRow, toSeqNo: number): Promise<MissingEvidence> {
  const { stream_id } = stream;
  const reached = [
    { evidence: "events", to_seq_no: stream.head_seq_no },
    { evidence: "windows", to_seq_no: stream.windowed_to_seq_no },
    { evidence: "checkpoints", to_seq_no: stream.checkpointed_to_seq_no },
    { evidence: "witness_statements", to_seq_no: await newestWitnessedSeqNo(reader, stream_id) },
  ] as const;
  const missing = reached
    .filter((step) => step.to_seq_no < toSeqNo)
    .map(({ evidence, to_seq_no }) => ({ evidence, reaches_to_seq_no: to_seq_no, needed_to_seq_no: toSeqNo }));
  return { stream_id, to_seq_no: toSeqNo, missing };
}

/**
 * Resolves to the missing anchor of the checkpoint that ends with an event: its policy requires one, and it is not
 * final.
 */
export async function missingAnchor(
  reader: Reader,
  { stream_id }: StreamRow,
  toSeqNo: number,
): Promise<MissingEvidence> {
  const reaches_to_seq_no = await anchoredSeqNo(reader, stream_id);
  const missing = [{ evidence: "anchor", reaches_to_seq_no, needed_to_seq_no: toSeqNo } as const];
  return { stream_id, to_seq_no: toSeqNo, missing };
}

/** Returns whether the service itself can make all missing steps, because the events exist. */
export function lacksOnlySeals({ missing }: MissingEvidence): boolean {
  return missing.every(({ evidence }) => evidence !== "events" && evidence !== "anchor");
}

/** Returns the missing steps in words, and the next action. */
export function missingInWords({ to_seq_no, missing }: MissingEvidence): string {
  const [first] = missing;
  const next =
    first?.evidence === "events"
      ? "Ask for a range that ends at or before the last event."
      : first?.evidence === "witness_statements"
        ? "GET /v2/streams/{id}/proof-state names each witness of its policy, and why one has not cosigned."
        : first?.evidence === "anchor"
          ? "Its policy requires an anchor that is final in the chain: GET /v2/streams/{id}/proof-state says how " +
            "far it is."
          : "Evidence follows within seconds: watch GET /v2/streams/{id}/proof-state and ask again.";
  return (
    `The range to event ${to_seq_no} lacks ${missing.map((step) => step.evidence.replace("_", " ")).join(", ")}. ` +
    `${next}`
  );
}

/** Returns the refusal of a route. */
export function evidenceMissing(lacking: MissingEvidence): ServiceError {
  const { stream_id, missing } = lacking;
  return new ServiceError("evidence_missing", missingInWords(lacking), { stream_id, missing: [...missing] });
}
