/** The metrics of streams. */
import type { MetricsRegistry } from "@svc/host/metrics";
import type { Context } from "../context.ts";
import { recorded } from "./recorded.ts";

/** Adds the counter of recorded events. */
export function streamMetrics(registry: MetricsRegistry, { channel }: Context): void {
  const events = registry.counter("svc_events_recorded_total", "Events recorded by this process.");
  channel.subscribe(recorded, ({ appended }) => events.inc(appended));
}
