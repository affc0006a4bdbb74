/** The stream, or the log, that fork evidence is about: whether it is one of this service. */
import type { ForkEvidence } from "@svc/core";
import type { Reader } from "@svc/host/store";
import { type StreamEnd, streamEnd } from "./forks-store.ts";
import { statedOrigins } from "./stored-form.ts";

/** The subject of evidence. `stream` is null for the service's own log. */
export interface ForkSubject {
  readonly stream: StreamEnd | null;
}

/** Resolves to the subject of evidence; null if it is a stream or a log of another service. */
export async function subjectOf(reader: Reader, origin: string, evidence: ForkEvidence): Promise<ForkSubject | null> {
  const { stream_id } = evidence;
  const stream = stream_id === null ? null : await streamEnd(reader, stream_id);
  if (stream === null && stream_id !== null) return null;
  // Two different origins are a fork too: one of them must be ours.
  const origins = statedOrigins(evidence);
  const own = stream_id === null ? origin : `${origin}/${stream_id}`;
  return origins.length > 0 && !origins.includes(own) ? null : { stream };
}
