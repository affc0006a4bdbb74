/** The metrics of forks. */
import type { MetricsRegistry } from "@svc/host/metrics";
import type { AnsweringContext } from "../context.ts";
import { MAX_COUNTED } from "./diagnose.ts";
import { allForks } from "./forks-store.ts";

/** Adds the gauge of all forks that are kept: unlike a counter of new ones, it survives a restart. */
export function forkMetrics(registry: MetricsRegistry, { database }: AnsweringContext): void {
  registry.gauge("svc_forks", "Pieces of fork evidence that are kept, 1000 at most.", async () => {
    const { count } = await database.read((reader) => allForks(reader, MAX_COUNTED));
    return count;
  });
}
