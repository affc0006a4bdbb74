/** The routes of the event log (system key). HTTP only: the other files of this folder do the work. */
import { eventLog as contracts } from "@svc/api";
import { normalizedUtc } from "@svc/host/clock";
import { bind, json, type Route } from "@svc/host/http";
import type { Readings } from "@svc/host/reads";
import type { ReadContext } from "../context.ts";
import { portableReceiptRead } from "../packs/reads.ts";
import { preferred, requireFewEnough } from "../streams/append-answers.ts";
import type { ReadStream } from "../streams/read-stream.ts";
import type { LogEvents } from "./log-events.ts";
import type { ReadLog } from "./read-log.ts";

/** The capabilities that the routes call. */
export interface LogCapabilities {
  readonly logEvents: LogEvents;
  readonly readLog: ReadLog;
  readonly readStream: ReadStream;
  readonly readings: Readings<ReadContext>;
}

/** Returns the routes of the event log. */
export function logRoutes({ logEvents, readLog, readStream, readings }: LogCapabilities): Route[] {
  const room = () => logEvents.room();
  return [
    bind(
      contracts.append,
      async ({ principal, headers, body, bytes, idempotencyKey }) => {
        const request = { principal, events: [body], isBatch: false, idempotencyKey, bytes };
        return preferred(headers, (form) => logEvents.records(request, form));
      },
      { room },
    ),
    bind(contracts.proof, async ({ principal, path: { eventId }, asker, used }) => {
      await readStream.receipt(principal, eventId);
      const { tenantId } = principal;
      return { text: await readings.read(asker, portableReceiptRead, { tenantId, eventId }, used) };
    }),
    bind(
      contracts.appendBatch,
      async ({ principal, headers, body: { events }, bytes, idempotencyKey }) => {
        const request = { principal, events, isBatch: true, idempotencyKey, bytes };
        return preferred(headers, async (form) => `{"receipts":[${await logEvents.records(request, form)}]}`);
      },
      { precheck: requireFewEnough, room },
    ),
    bind(contracts.list, async ({ principal, query: { limit, cursor, type, status, ...query } }) => {
      const { source_ref: sourceRef, system_id: systemId } = query;
      const [occurredFrom, occurredBefore] = [normalized(query.occurred_from), normalized(query.occurred_before)];
      const filter = { type, status, sourceRef, systemId, occurredFrom, occurredBefore };
      return json(await readLog.events(principal, filter, { limit, after: cursor }));
    }),
    bind(contracts.event, async ({ principal, path }) => json(await readLog.event(principal, path.eventId))),
  ];
}

/** Returns a time in the form in which the store compares times. */
function normalized(sourceTime: string | null): string | null {
  return sourceTime === null ? null : normalizedUtc(sourceTime);
}
