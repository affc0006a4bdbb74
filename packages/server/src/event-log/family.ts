/** The event log: events of a system in a separate form, in a stream that is made for them. */

import { eventLog as contracts } from "@svc/api";
import type { ServerFamily } from "../context.ts";
import { appendingOf } from "../streams/appending.ts";
import { ReadStream } from "../streams/read-stream.ts";
import { LogEvents, logStreamsPart } from "./log-events.ts";
import { eventLog as eventLogs } from "./migrations/0009-event-log.ts";
import { ReadLog } from "./read-log.ts";
import { logRoutes } from "./routes.ts";

/** The family of event logs. */
export const eventLog = {
  name: "event-log",
  contracts: [contracts.append, contracts.proof, contracts.appendBatch, contracts.list, contracts.event],
  migrations: [eventLogs],
  parts: [logStreamsPart],
  open: (context) => ({
    routes: logRoutes({
      logEvents: new LogEvents(context, appendingOf(context)),
      readLog: new ReadLog(context),
      readStream: new ReadStream(context),
      readings: context.readings,
    }),
  }),
} satisfies ServerFamily;
