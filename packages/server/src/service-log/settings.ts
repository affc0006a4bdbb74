/** The settings of the service log. */
import { integer, setting } from "@svc/host/settings";

/** The interval of epochs. */
export const serviceLogSettings = {
  epochIntervalMs: setting({
    variable: "SVC_EPOCH_INTERVAL_MS",
    meaning: "how long the service log waits after an epoch before it publishes the next, 20 to 86400000",
    fallback: "60000",
    parse: integer(20, 86_400_000),
  }),
};
