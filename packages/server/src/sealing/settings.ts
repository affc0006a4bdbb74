/** The settings of the sealer. */
import { integer, setting } from "@svc/host/settings";

/** The interval of the sealer's rounds. */
export const sealingSettings = {
  sealIntervalMs: setting({
    variable: "SVC_SEAL_INTERVAL_MS",
    meaning: "how often the sealer looks for work, 20 to 60000",
    fallback: "250",
    parse: integer(20, 60_000),
  }),
};
