/** The message after each commit with new events, whose receipts are then sent. */
import { topic } from "@svc/host/channel";
import type { EventRow } from "./events-store.ts";

/** New events that are committed. */
export interface Recorded {
  /** The last of the new events, in the order of commits. */
  readonly last: EventRow;
  /** Whether a stream now has as many unwindowed events as its policy puts in one window. */
  readonly isWindowFull: boolean;
}

/** The topic of new events. */
export const recorded = topic<Recorded>("recorded");
/** The number of events that requests have added by one commit. */
export const appended = topic<number>("appended");
