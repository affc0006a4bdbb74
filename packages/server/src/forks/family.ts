/** Forks of this service's own streams and log. */

import { forks as contracts } from "@svc/api";
import { administrationTable } from "@svc/host/store";
import type { ServerFamily } from "../context.ts";
import { contradicted } from "../sealing/contradicted.ts";
import { checkForks } from "./check-forks.ts";
import { diagnoseForks } from "./diagnose.ts";
import { ForkRecords, forkRecordsPart } from "./fork-records.ts";
import { forked } from "./forked.ts";
import { Forks } from "./forks.ts";
import { forkMetrics } from "./metrics.ts";
import { forks as forkEvidence } from "./migrations/0006-forks.ts";
import { logForks } from "./migrations/0024-log-forks.ts";
import { forkRoutes } from "./routes.ts";

/** The family of forks. */
export const forks = {
  name: "forks",
  contracts: [contracts.list, contracts.ofLog],
  metrics: forkMetrics,
  tells: [forked],
  tables: [administrationTable("forks", "fork_id"), administrationTable("log_forks", "fork_id")],
  migrations: [forkEvidence, logForks],
  parts: [forkRecordsPart],
  open: (context) => ({ routes: forkRoutes(new Forks(context)) }),
  work: (context) => {
    const records = new ForkRecords(context);
    let looking = Promise.resolve();
    context.channel.subscribe(contradicted, ({ signedNote, checkpoint }) => {
      looking = looking.then(() => records.lookAtNote(signedNote, checkpoint));
    });
    return { close: () => looking };
  },
  check: checkForks,
  diagnose: diagnoseForks,
} satisfies ServerFamily;
