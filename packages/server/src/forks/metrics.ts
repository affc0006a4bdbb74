/** The metrics of forks. */
import type { MetricsRegistry } from "@svc/host/metrics";
import type { AnsweringContext } from "../context.ts";
import { forked } from "./forked.ts";

/** Adds the counter of new forks. */
export function forkMetrics(registry: MetricsRegistry, { channel }: AnsweringContext): void {
  const forks = registry.counter("svc_forks_total", "Forks of this service's own streams that it has found.");
  channel.subscribe(forked, () => forks.inc());
}
