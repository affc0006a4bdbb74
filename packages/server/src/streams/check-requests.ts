/**
 * Checks the records that recognise repeated requests against the recorded events: a hash that no longer fits would
 * refuse the honest sender. For a request that recorded no event, only the form is checked; for one whose payload was
 * erased, only the fingerprint that is left. The Idempotency-Key itself is not stored. The hash by which a record is
 * found is repeated in its index, and check-file.ts compares the two.
 */
import { MAX_BATCH_EVENTS } from "@svc/api/limits";
import type { Fault } from "@svc/host/checks";
import { ServiceError } from "@svc/host/errors";
import type { Reader } from "@svc/host/store";
import { ArchivedPayloads, isArchived } from "../archived/archived-payloads.ts";
import type { CheckContext } from "../check-context.ts";
import { Idempotency, KEPT_FINGERPRINT, KEPT_MAC } from "../idempotency/idempotency.ts";
import { type EventRow, eventsOfRange } from "./events-store.ts";
import { canonicalBody, fingerprintOfEvents, isBatchRoute, targetOf } from "./request-fingerprint.ts";
import { type RawRequest, rawRequests } from "./rows-store.ts";

const PORTION = 200;

/** Yields the faults of these records. */
export async function* checkRequests({
  database,
  kernel,
  keyedHash,
  archivePath,
}: CheckContext): AsyncGenerator<Fault> {
  const idempotency = new Idempotency({ issuing: kernel, keyedHash });
  const archived = archivePath === null ? null : new ArchivedPayloads(archivePath);
  for (let after = 0; ; ) {
    // One snapshot holds a record and its events: meanwhile a server forgets old records, and erases payloads.
    const read = await database.read(async (reader) => {
      const rows = await rawRequests(reader, after, PORTION);
      const requests: { readonly row: RawRequest; readonly events: readonly EventRow[] }[] = [];
      for (const row of rows) requests.push({ row, events: await eventsOf(reader, row) });
      return requests;
    });
    for (const { row, events } of read) {
      const fault = await faultOf(idempotency, row, () => fetched(database, archived, events));
      if (fault !== null) yield { table: "idempotency_records", row: { record_no: row.record_no }, fault };
    }
    if (read.length < PORTION) return;
    after = read.at(-1)?.row.record_no ?? after;
  }
}

async function eventsOf(reader: Reader, row: RawRequest): Promise<readonly EventRow[]> {
  const { tenant_id, stream_id, from_seq_no, to_seq_no } = row;
  return isRange(row) ? eventsOfRange(reader, tenant_id, stream_id, from_seq_no, to_seq_no) : [];
}

function isRange({ from_seq_no, to_seq_no }: RawRequest): boolean {
  const count = to_seq_no - from_seq_no + 1;
  return from_seq_no >= 1 && count >= 1 && count <= MAX_BATCH_EVENTS;
}

/** Resolves to the events with archived payloads; null if those are not here, or at fault, as another check says. */
async function fetched(
  database: CheckContext["database"],
  archived: ArchivedPayloads | null,
  events: readonly EventRow[],
): Promise<readonly EventRow[] | null> {
  if (archived === null) return events.some(isArchived) ? null : events;
  try {
    return await archived.restored(database, events);
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

async function faultOf(
  idempotency: Idempotency,
  row: RawRequest,
  find: () => Promise<readonly EventRow[] | null>,
): Promise<string | null> {
  const { stream_id, route, request_mac, from_seq_no, to_seq_no } = row;
  if (!KEPT_MAC.test(request_mac)) return "what it keeps of its request is no hash";
  if (to_seq_no === 0 && from_seq_no === 0) return null;
  if (!isRange(row)) return `it says that its request recorded events ${from_seq_no} to ${to_seq_no}`;
  const events = await find();
  if (events === null) return null;
  if (events.length !== to_seq_no - from_seq_no + 1) return "the events that its request has recorded are not there";
  const isErased = events.some(({ payload }) => payload === null);
  // An erasure by an early release may have left the hash of the whole request, which cannot be recomputed here.
  if (isErased && !request_mac.startsWith(KEPT_FINGERPRINT)) return null;
  if (isSame(idempotency, row, route, events)) return null;
  return (
    `what it keeps of its request is not that of events ${from_seq_no} to ${to_seq_no} of ${stream_id}: repeating ` +
    `the request would be refused`
  );
}

function isSame(
  idempotency: Idempotency,
  { request_mac, stream_id }: RawRequest,
  route: string,
  events: readonly EventRow[],
): boolean {
  const target = targetOf(route, stream_id);
  const sent = events.map((event) => ({ ...event, payloadText: event.payload ?? "" }));
  const body = canonicalBody(isBatchRoute(route), sent);
  return idempotency.isSame(request_mac, {
    route,
    target,
    body: null,
    hash: idempotency.hashOf(route, target, body),
    canonicalBody: () => body,
    fingerprint: () => fingerprintOfEvents(route, events),
  });
}
