/** Streams, and the events that are appended to them. */

import { streams as contracts } from "@svc/api";
import { requestTable } from "@svc/host/store";
import type { ServerFamily } from "../context.ts";
import { appendPart } from "./append.ts";
import { appendingOf } from "./appending.ts";
import { checkStreams } from "./check-streams.ts";
import { createStreamPart } from "./create-stream.ts";
import { diagnoseClock } from "./diagnose.ts";
import { streamMetrics } from "./metrics.ts";
import { closedStreams } from "./migrations/0004-closed-streams.ts";
import { recordsByTime } from "./migrations/0011-records-by-time.ts";
import { partitions } from "./migrations/0017-partitions.ts";
import { lifecyclePurposes } from "./migrations/0030-lifecycle-purposes.ts";
import { ReadStream } from "./read-stream.ts";
import { appended } from "./recorded.ts";
import { streamRoutes } from "./routes.ts";
import { streamSettings } from "./settings.ts";

/** The family of streams. */
export const streams = {
  name: "streams",
  contracts: [
    contracts.create,
    contracts.append,
    contracts.appendBatch,
    contracts.list,
    contracts.events,
    contracts.head,
  ],
  settings: streamSettings,
  metrics: streamMetrics,
  tells: [appended],
  tables: [
    requestTable("streams", "stream_id", "stream_id"),
    // A server keeps identifiers apart within a stream only.
    requestTable("events", "stream_id", "stream_event_id", "stream_id"),
  ],
  migrations: [closedStreams, recordsByTime, partitions, lifecyclePurposes],
  parts: [createStreamPart, appendPart],
  open: (context) => ({
    routes: streamRoutes({
      createStream: context.parts.use(createStreamPart),
      appending: appendingOf(context),
      readStream: new ReadStream(context),
    }),
  }),
  check: checkStreams,
  diagnose: diagnoseClock,
} satisfies ServerFamily;
