/** What is measured of the place of the data folder. */
import type { MetricsRegistry } from "@svc/host/metrics";

export function placeMetrics(registry: MetricsRegistry, isElsewhere: boolean): void {
  registry
    .gauge(
      "svc_data_folder_elsewhere",
      "1 where the data folder was in another place at this start than at the one before, as a copy is; else 0.",
    )
    .set(isElsewhere ? 1 : 0);
}
