/** Anchoring: the epochs of the service log are written into a contract of a public chain, and evidence comes back. */

import { administrationTable, logTable } from "@svc/host/store";
import { anchoringOf, anchoringSettings } from "../chain/settings.ts";
import type { ServerFamily } from "../context.ts";
import { epochMade } from "../service-log/epoch-made.ts";
import { anchorFault, anchorStep } from "./anchor-step.ts";
import { Anchorer } from "./anchorer.ts";
import { checkAnchoring } from "./check-anchoring.ts";
import { diagnoseAnchoring } from "./diagnose.ts";
import { anchoringMetrics } from "./metrics.ts";
import { anchoring as tables } from "./migrations/0025-anchoring.ts";
import { voidedEpochs } from "./migrations/0028-voided-epochs.ts";

/** The family of anchoring. */
export const anchoring = {
  name: "anchoring",
  settings: anchoringSettings,
  metrics: anchoringMetrics,
  tells: [anchorStep, anchorFault],
  tables: [
    logTable("mined_epochs", "epoch_no"),
    logTable("voided_epochs", "epoch_no", "block_hash"),
    logTable("anchorings", "epoch_no"),
    logTable("anchor_transactions", "tx_hash"),
    administrationTable("anchoring_state", "service_no"),
  ],
  migrations: [tables, voidedEpochs],
  work: (context) => {
    const config = anchoringOf(context.settings(anchoringSettings));
    if (config === null) return {};
    const anchorer = new Anchorer(context, config);
    context.channel.subscribe(epochMade, () => anchorer.job.wake());
    return { jobs: [anchorer.job], close: async () => anchorer.close() };
  },
  check: checkAnchoring,
  diagnose: diagnoseAnchoring,
} satisfies ServerFamily;
