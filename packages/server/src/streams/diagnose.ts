/** The operator's question about streams: whether the clock goes forward. */

import { type Finding, ok, warn } from "@svc/host/checks";
import { serviceTime } from "@svc/host/clock";
import type { DiagnoseContext } from "../check-context.ts";
import { lastRecordedAt } from "./streams-store.ts";

/** The clock of a machine may jump this far when it is set. */
const CLOCK_SLACK_MS = 5_000;

/** Resolves to a warning if the last event is later than the clock. */
export function diagnoseClock({ read, now }: DiagnoseContext): Promise<Finding[]> {
  return read("clock", async (reader) => {
    const last = await lastRecordedAt(reader);
    const words = `${serviceTime(now)} by this machine, ${last ?? "nothing"} recorded last`;
    return last !== null && Date.parse(last) > now + CLOCK_SLACK_MS
      ? [warn("clock", `${words}: it was set back, or was ahead. Set it by NTP; events get the later time until then.`)]
      : [ok("clock", words)];
  });
}
