/** Forks of this service's own streams. */

import { forks as contracts } from "@svc/api";
import type { ServerFamily } from "../context.ts";
import { contradicted } from "../sealing/contradicted.ts";
import { checkForks } from "./check-forks.ts";
import { ForkRecords, forkRecordsPart } from "./fork-records.ts";
import { Forks } from "./forks.ts";
import { forkMetrics } from "./metrics.ts";
import { forks as forkEvidence } from "./migrations/0006-forks.ts";
import { forkRoutes } from "./routes.ts";

/** The family of forks. */
export const forks = {
  name: "forks",
  contracts: [contracts.list],
  metrics: forkMetrics,
  migrations: [forkEvidence],
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
} satisfies ServerFamily;
