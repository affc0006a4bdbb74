/** The metrics of a witness. Labels are small sets, and never name an origin. */
import { type MetricsRegistry, RequestMetrics } from "@svc/host/metrics";
import type { Database } from "@svc/host/store";
import { countForks } from "./forks/forks-store.ts";
import type { Counting } from "./http/handler.ts";
import { countOrigins } from "./origins/origins-store.ts";

/** Makes the metrics, and returns what counts requests. */
export function witnessMetrics(registry: MetricsRegistry, database: Pick<Database, "read" | "commits">): Counting {
  const requests = new RequestMetrics(registry);
  const decisions = registry.counter("svc_witness_decisions_total", "Checkpoints that were handed in, by outcome.", [
    "outcome",
  ]);
  registry.gauge("svc_witness_origins", "Logs whose keys are known.", () => database.read(countOrigins));
  registry.gauge("svc_witness_forks", "Pieces of fork evidence that are kept: look at any.", () =>
    database.read(countForks),
  );
  registry.gauge(
    "svc_database_commits",
    "Commits that were waited for until they were on disk; several cosignatures share one.",
    async () => database.commits,
  );
  registry.addProcess();
  return {
    answered: (answer) => requests.answered(answer),
    decided: (outcome) => decisions.inc({ outcome }),
  };
}
