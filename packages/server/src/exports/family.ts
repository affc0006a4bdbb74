/** Exports: truth packages of events, built beside the requests, downloaded by tickets, and reports on them. */

import { exports as contracts } from "@svc/api";
import type { ServerFamily } from "../context.ts";
import { idempotencyOf } from "../idempotency/idempotency.ts";
import { sealed } from "../sealing/sealed.ts";
import { createExportBuilding } from "./build-exports.ts";
import { exportsChanged } from "./built.ts";
import { checkExports } from "./check-exports.ts";
import { Downloads } from "./download.ts";
import { Exports } from "./exports.ts";
import { exportMetrics } from "./metrics.ts";
import { exports as exportTables } from "./migrations/0010-exports.ts";
import { packageChallenges } from "./migrations/0014-package-challenges.ts";
import { PackageFiles } from "./package-files.ts";
import { RecordVerification } from "./record-verification.ts";
import { exportRoutes } from "./routes.ts";

/** The family of exports. */
export const exports = {
  name: "exports",
  contracts: [
    contracts.create,
    contracts.list,
    contracts.get,
    contracts.prepareDownload,
    contracts.download,
    contracts.reportVerification,
    contracts.remove,
  ],
  metrics: exportMetrics,
  migrations: [exportTables, packageChallenges],
  open: (context) => {
    const files = new PackageFiles(context.folder.exportsPath);
    const building = createExportBuilding(context, files);
    for (const topic of [exportsChanged, sealed]) context.channel.subscribe<unknown>(topic, () => building.nudge());
    return {
      routes: exportRoutes({
        exports: new Exports(context, idempotencyOf(context)),
        downloads: new Downloads(context, files),
        recordVerification: new RecordVerification(context),
      }),
      jobs: [building],
    };
  },
  check: checkExports,
} satisfies ServerFamily;
