/** Checks streams, their events, and the records of the requests behind them: every row against its sources. */
import { type Fault, type StrayRule, strayRows } from "@svc/host/checks";
import type { CheckContext } from "../check-context.ts";
import { unlogged } from "../tenancy/unlogged.ts";
import { checkEvents } from "./check-events.ts";
import { checkRequests } from "./check-requests.ts";
import { eachStream } from "./each-stream.ts";

const STRAYS: readonly StrayRule[] = [
  {
    table: "streams",
    id: "stream_id",
    fault: "its number among the event logs of its system is not the one that follows",
    where: `e.event_log_no IS NOT NULL AND (e.class <> 'legacy' OR e.event_log_no <>
       (SELECT COUNT(*) FROM streams o WHERE o.system_id = e.system_id AND o.event_log_no <= e.event_log_no))`,
  },
  {
    table: "events",
    id: "stream_event_id",
    fault: "its stream is not there",
    where: "e.stream_id NOT IN (SELECT stream_id FROM streams)",
  },
  {
    table: "streams",
    id: "stream_id",
    fault: "its policy is neither its tenant's nor built in",
    where:
      "NOT EXISTS (SELECT 1 FROM policies p WHERE p.policy_id = e.policy_id AND COALESCE(p.tenant_id, '') IN " +
      "(e.tenant_id, ''))",
  },
  {
    table: "idempotency_records",
    id: "record_no",
    fault: "the events that its request has recorded are not there",
    where: "e.to_seq_no > (SELECT head_seq_no FROM streams s WHERE s.stream_id = e.stream_id)",
  },
  {
    table: "access_log",
    id: "object_id",
    fault: "the stream that it says was made is not there",
    where: "e.action = 'stream.created' AND e.object_id NOT IN (SELECT stream_id FROM streams)",
  },
  unlogged("streams", "stream_id", "stream.created", "e.class = 'legacy'"),
];

/**
 * Yields the faults of these rows. Remembered requests come last: a fault of an event would be reported for its request
 * as well.
 */
export async function* checkStreams(context: CheckContext): AsyncGenerator<Fault> {
  yield* strayRows(context, STRAYS);
  yield* eachStream(context, checkEvents);
  context.onStep("remembered requests");
  yield* checkRequests(context);
}
