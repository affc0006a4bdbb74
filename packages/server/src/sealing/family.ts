/** Sealing: windows, checkpoints, the managed witness, and public reading of them. */

import { sealing as contracts } from "@svc/api";
import { requestTable } from "@svc/host/store";
import { anchoringOf, anchoringSettings } from "../chain/settings.ts";
import type { ServerFamily } from "../context.ts";
import { feederOf } from "../feeding/feeder.ts";
import { feedingSettings } from "../feeding/settings.ts";
import { recorded } from "../streams/recorded.ts";
import { checkSealing } from "./check-sealing.ts";
import { demandSealPart } from "./demand-seal.ts";
import { diagnoseSealing } from "./diagnose.ts";
import { fedStreams } from "./fed-streams.ts";
import { sealingMetrics } from "./metrics.ts";
import { sealingOnDemand } from "./migrations/0008-sealing-on-demand.ts";
import { sealedTimes } from "./migrations/0012-sealed-times.ts";
import { shards } from "./migrations/0016-shards.ts";
import { witnessMemory } from "./migrations/0021-witness-memory.ts";
import { ReadEvidence } from "./read-evidence.ts";
import { checkpointsRead, consistencyRead, windowRead, windowsRead } from "./reads.ts";
import { sealingRoutes } from "./routes.ts";
import { sealerOf } from "./sealer.ts";
import { sealingSettings } from "./settings.ts";

/** The family of sealing. */
export const sealing = {
  name: "sealing",
  contracts: [
    contracts.window,
    contracts.checkpoint,
    contracts.note,
    contracts.tlogPolicy,
    contracts.epoch,
    contracts.proofState,
    contracts.windows,
    contracts.checkpoints,
    contracts.consistency,
  ],
  settings: sealingSettings,
  metrics: sealingMetrics,
  tables: [
    requestTable("windows", "stream_id", "window_id"),
    requestTable("checkpoints", "stream_id", "checkpoint_id"),
    requestTable("witness_statements", "stream_id", "checkpoint_id", "witness_id", "key_epoch"),
  ],
  migrations: [sealingOnDemand, sealedTimes, shards, witnessMemory],
  parts: [demandSealPart],
  reads: [windowRead, consistencyRead, windowsRead, checkpointsRead],
  open: (context) => {
    const { witnesses } = context.settings(feedingSettings);
    const isAnchoring = anchoringOf(context.settings(anchoringSettings)) !== null;
    const stateContext = () => ({ witnesses, isAnchoring, now: context.clock() });
    return { routes: sealingRoutes(new ReadEvidence(context), context.readings, stateContext) };
  },
  work: (context) => {
    const sealer = sealerOf(context);
    feederOf(context).add(fedStreams(context));
    // The sealer finds windows that are due by their age at its interval: a look after every commit would cost every
    // receipt.
    context.channel.subscribe(recorded, ({ isWindowFull }) => {
      if (isWindowFull) sealer.wake();
    });
    return { jobs: [sealer] };
  },
  check: checkSealing,
  diagnose: diagnoseSealing,
} satisfies ServerFamily;
