/** The metrics of sealing: its backlog. */
import type { MetricsRegistry } from "@svc/host/metrics";
import type { AnsweringContext } from "../context.ts";
import { uncheckpointedWindows, unwindowedEvents } from "./backlog-store.ts";

/** Adds the gauges of the backlog. */
export function sealingMetrics(registry: MetricsRegistry, { database }: AnsweringContext): void {
  registry.gauge("svc_sealer_lag_events", "Events that no window holds yet.", () => database.read(unwindowedEvents));
  registry.gauge("svc_sealer_lag_windows", "Windows that no checkpoint covers yet.", () =>
    database.read(uncheckpointedWindows),
  );
}
