/** The metrics of streams. */
import type { MetricsRegistry } from "@svc/host/metrics";
import type { AnsweringContext } from "../context.ts";
import { appended } from "./recorded.ts";

/** Adds the counter of recorded events. */
export function streamMetrics(registry: MetricsRegistry, { channel }: AnsweringContext): void {
  const events = registry.counter("svc_events_recorded_total", "Events recorded by this process.");
  channel.subscribe(appended, (count) => events.inc(count));
}
