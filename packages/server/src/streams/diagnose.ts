/** What an operator asks of streams: whether the clock goes forward. */

import { type Finding, ok, warn } from "@svc/host/checks";
import { serviceTime } from "@svc/host/clock";
import type { DiagnoseContext } from "../check-context.ts";
import { lastRecordedAt } from "./streams-store.ts";

/** Clocks of one machine jump this far when they are set. */
const CLOCK_SLACK_MS = 5_000;

export function diagnoseClock({ read, now }: DiagnoseContext): Promise<Finding[]> {
  return read("clock", async (reader) => {
    const last = await lastRecordedAt(reader);
    const words = `${serviceTime(now)} by this machine, ${last ?? "nothing"} recorded last`;
    return last !== null && Date.parse(last) > now + CLOCK_SLACK_MS
      ? [warn("clock", `${words}: it was set back, or was ahead. Set it by NTP; events get the later time until then.`)]
      : [ok("clock", words)];
  });
}
