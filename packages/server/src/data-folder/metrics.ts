/** The metrics about the place of the data folder. */
import type { MetricsRegistry } from "@svc/host/metrics";

/** Adds the metric that says whether the folder was elsewhere at the last start. */
export function placeMetrics(registry: MetricsRegistry, isElsewhere: boolean): void {
  registry
    .gauge(
      "svc_data_folder_elsewhere",
      "1 where the data folder was in another place at this start than at the one before, as a copy is; else 0.",
    )
    .set(isElsewhere ? 1 : 0);
}
