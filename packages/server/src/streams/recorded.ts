/** What is told after each commit with new events: receipts of them are handed out. */
import { topic } from "@svc/host/channel";
import type { EventRow } from "./events-store.ts";

export interface Recorded {
  /** The last of the new events, in the order of commits. */
  readonly last: EventRow;
  /** How many of them came by requests: 0 for an event of the service's own. */
  readonly appended: number;
}

export const recorded = topic<Recorded>("recorded");
