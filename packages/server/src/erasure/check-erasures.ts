/** Checks erasures against the erased events and the lifecycle events that record them. */
import { type Fault, type StrayRule, strayRows } from "@svc/host/checks";
import type { CheckContext } from "../check-context.ts";
import { unlogged } from "../tenancy/unlogged.ts";

const STRAYS: readonly StrayRule[] = [
  {
    table: "erasures",
    id: "stream_event_id",
    fault: "its event, or the lifecycle event that records it, is not there",
    where: `e.stream_event_id NOT IN (SELECT stream_event_id FROM events)
       OR e.lifecycle_event_id NOT IN (SELECT stream_event_id FROM events WHERE source_ref = e.stream_event_id)`,
  },
  unlogged("erasures", "stream_event_id", "event.erased"),
];

/** Yields the faults of the erasures. */
export function checkErasures(context: CheckContext): AsyncGenerator<Fault> {
  return strayRows(context, STRAYS);
}
