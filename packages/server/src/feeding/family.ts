/** Feeding: outside witnesses cosign what this service signs. The logs that it feeds are added by their families. */
import type { ServerFamily } from "../context.ts";
import { diagnoseFeeding } from "./diagnose.ts";
import { fed } from "./fed.ts";
import { feederOf } from "./feeder.ts";
import { feedingMetrics } from "./metrics.ts";
import { feedingSettings } from "./settings.ts";

/** The family of feeding. */
export const feeding = {
  name: "feeding",
  settings: feedingSettings,
  metrics: feedingMetrics,
  tells: [fed],
  work: (context) => {
    const feeder = feederOf(context);
    return { jobs: feeder.jobs, close: async () => feeder.close() };
  },
  diagnose: diagnoseFeeding,
} satisfies ServerFamily;
