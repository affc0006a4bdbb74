/** The settings of the metrics. */
import { metricsSettingsOf } from "@svc/host/metrics";

/** The port and the token of the metrics. */
export const metricsSettings = metricsSettingsOf("SVC");
