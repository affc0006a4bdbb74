/**
 * Chooses the events of an export: at the moment of the request, its members become one range of numbers for each
 * stream. Times are those at which the service received the events: they never go back along a stream, so that a time
 * is a place in it.
 */
import { MAX_EXPORT_EVENTS, MAX_EXPORT_STREAMS } from "@svc/api/limits";
import type { PackageRange } from "@svc/core";
import { normalizedUtc, serviceTime } from "@svc/host/clock";
import { ServiceError } from "@svc/host/errors";
import type { Principal } from "@svc/host/principal";
import type { Reader } from "@svc/host/store";
import { receivedAtOf } from "../streams/events-store.ts";
import { type StreamRow, streamIdsOfSystem } from "../streams/streams-store.ts";
import { visibleStream } from "../streams/visible-stream.ts";

/** A request for an export. */
export type ExportRequest = {
  /** The request has at least one of `streams` and `systems`. */
  readonly streams?: readonly string[];
  /** Stands for all streams of these systems. */
  readonly systems?: readonly string[];
  /** The range of a single named stream; both ends included. */
  readonly from_seq_no?: number;
  readonly to_seq_no?: number;
  /** Received at the first time or later, and before the second. */
  readonly received_from?: string;
  readonly received_before?: string;
  readonly payloads?: "included" | "redacted";
};

/**
 * Resolves to the ranges, ascending by stream; streams without such events are left out. Rejects with
 * `invalid_request`, `system_forbidden`, `export_empty`, `range_too_large` and the refusals of `visibleStream`.
 */
export async function chooseEvents(
  reader: Reader,
  principal: Principal,
  request: ExportRequest,
): Promise<PackageRange[]> {
  requireOneSense(request);
  const { streams = [], systems = [] } = request;
  const ids = [...new Set([...streams, ...(await streamsOfSystems(reader, principal, systems))])];
  if (ids.length > MAX_EXPORT_STREAMS)
    throw new ServiceError(
      "range_too_large",
      `These are more than ${MAX_EXPORT_STREAMS} streams, and one export holds at most ${MAX_EXPORT_STREAMS}. ` +
        `Name some of them.`,
    );
  const ranges: PackageRange[] = [];
  for (const streamId of ids.toSorted()) {
    const range = await rangeOf(reader, await visibleStream(reader, principal, streamId), request);
    if (range !== null) ranges.push(range);
  }
  const events = ranges.reduce((sum, { from_seq_no, to_seq_no }) => sum + to_seq_no - from_seq_no + 1, 0);
  if (events === 0)
    throw new ServiceError(
      "export_empty",
      "No event is in what you ask for. Widen the range, or export when there are events.",
    );
  if (events > MAX_EXPORT_EVENTS)
    throw new ServiceError(
      "range_too_large",
      `The export would hold ${events} events, and at most ${MAX_EXPORT_EVENTS} are taken. Ask for several ` +
        `smaller ones: by from_seq_no and to_seq_no for one stream, by received_from and received_before for more.`,
    );
  return ranges;
}

/** Throws `invalid_request` for a request that its schema allows but that contradicts itself. */
function requireOneSense(request: ExportRequest): void {
  const { streams, systems, from_seq_no: from, to_seq_no: to } = request;
  const isSingle = streams?.length === 1 && systems === undefined;
  const problems = [
    ...(streams === undefined && systems === undefined
      ? [{ path: "/streams", message: "must be given, or systems" }]
      : []),
    ...((from !== undefined || to !== undefined) && !isSingle
      ? [{ path: "/from_seq_no", message: "and to_seq_no must be of a single stream, named in streams" }]
      : []),
    ...(from !== undefined && to !== undefined && from > to
      ? [{ path: "/to_seq_no", message: `must be at least from_seq_no, ${from}` }]
      : []),
  ];
  const [first] = problems;
  if (first !== undefined) throw new ServiceError("invalid_request", `${first.path} ${first.message}.`, { problems });
}

/**
 * Resolves to the streams of systems, also those without events, as far as the key is not limited to others. A system
 * key belongs to one system.
 */
async function streamsOfSystems(
  reader: Reader,
  principal: Principal,
  systems: readonly string[],
): Promise<readonly string[]> {
  const other = systems.find((id) => principal.kind !== "system" || id !== principal.id);
  if (other !== undefined)
    throw new ServiceError(
      "system_forbidden",
      `This key does not belong to system ${JSON.stringify(other)}. Use that system's own key.`,
    );
  const only = principal.limits?.streams ?? null;
  const ids: string[] = [];
  // One more than an export may hold, so that the request is refused.
  for (const systemId of new Set(systems))
    ids.push(
      ...(await streamIdsOfSystem(reader, { tenantId: principal.tenantId, systemId }, only, MAX_EXPORT_STREAMS + 1)),
    );
  return ids;
}

async function rangeOf(
  reader: Reader,
  { stream_id, head_seq_no }: StreamRow,
  { from_seq_no, to_seq_no, received_from, received_before }: ExportRequest,
): Promise<PackageRange | null> {
  const last = Math.max(from_seq_no ?? 1, to_seq_no ?? 1);
  if ((from_seq_no !== undefined || to_seq_no !== undefined) && last > head_seq_no)
    throw new ServiceError("invalid_request", `Stream ${stream_id} has ${head_seq_no} events.`, {
      problems: [
        { path: to_seq_no === undefined ? "/from_seq_no" : "/to_seq_no", message: `must be at most ${head_seq_no}` },
      ],
    });
  const firstSince = (time: string) => firstReceivedSince(reader, stream_id, head_seq_no, wholeMilliseconds(time));
  const range = {
    stream_id,
    from_seq_no: Math.max(from_seq_no ?? 1, received_from === undefined ? 1 : await firstSince(received_from)),
    to_seq_no: Math.min(
      to_seq_no ?? head_seq_no,
      received_before === undefined ? head_seq_no : (await firstSince(received_before)) - 1,
    ),
  };
  return range.from_seq_no <= range.to_seq_no ? range : null;
}

/**
 * Resolves to the number of the first event that was received at a time or later; one more than the last if none was.
 * It halves the range at each step.
 */
async function firstReceivedSince(reader: Reader, streamId: string, headSeqNo: number, time: string): Promise<number> {
  let [low, high] = [1, headSeqNo + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const receivedAt = await receivedAtOf(reader, streamId, middle);
    if (receivedAt === null) throw new Error(`event ${middle} of ${streamId} is missing`);
    if (receivedAt < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the first service time that is not before a source time: the service's clock counts milliseconds. */
function wholeMilliseconds(sourceTime: string): string {
  const utc = normalizedUtc(sourceTime);
  const milliseconds = Date.parse(`${utc.slice(0, 23)}Z`);
  return serviceTime(/^0*Z$/.test(utc.slice(23)) ? milliseconds : milliseconds + 1);
}
