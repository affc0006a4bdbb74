/** The service log: one log of all checkpoints, its epochs, and public reading of them. */

import { serviceLog as contracts } from "@svc/api";
import { administrationTable, logTable, requestTable } from "@svc/host/store";
import type { ServerFamily } from "../context.ts";
import { feederOf } from "../feeding/feeder.ts";
import { checkServiceLog } from "./check-service-log.ts";
import { diagnoseServiceLog } from "./diagnose.ts";
import { fedEpochs } from "./fed-epochs.ts";
import { serviceLogMetrics } from "./metrics.ts";
import { serviceLog as tables } from "./migrations/0023-service-log.ts";
import { ReadAnchors } from "./read-anchors.ts";
import { serviceLogRoutes } from "./routes.ts";
import { createServiceLog } from "./service-log.ts";
import { serviceLogSettings } from "./settings.ts";

/** The family of the service log. */
export const serviceLog = {
  name: "service-log",
  contracts: [contracts.anchors, contracts.anchor, contracts.anchorNote, contracts.anchorConsistency],
  settings: serviceLogSettings,
  metrics: serviceLogMetrics,
  tables: [
    requestTable("unlogged_checkpoints", "stream_id", "stream_id", "checkpoint_no"),
    administrationTable("service_log", "service_no"),
    logTable("service_log_leaves", "leaf_index"),
    logTable("epochs", "epoch_no"),
  ],
  migrations: [tables],
  open: (context) => ({ routes: serviceLogRoutes(new ReadAnchors(context)) }),
  work: (context) => {
    feederOf(context).add(fedEpochs(context));
    return { jobs: [createServiceLog(context)] };
  },
  check: checkServiceLog,
  diagnose: diagnoseServiceLog,
} satisfies ServerFamily;
