/** Exports: truth packages of events, built beside the requests, downloaded by tickets, and reports on them. */

import { exports as contracts } from "@svc/api";
import { administrationTable } from "@svc/host/store";
import type { ServerFamily } from "../context.ts";
import { sealed } from "../sealing/sealed.ts";
import { createExportBuilding } from "./build-exports.ts";
import { built, exportsChanged } from "./built.ts";
import { checkExports } from "./check-exports.ts";
import { Downloads } from "./download.ts";
import { downloadRecordsPart } from "./download-records.ts";
import { exportCreated, exportDeleted, packageAccessed, packageGenerated, packageVerified } from "./events.ts";
import { exportsPart } from "./exports.ts";
import { exportMetrics } from "./metrics.ts";
import { exports as exportTables } from "./migrations/0010-exports.ts";
import { packageChallenges } from "./migrations/0014-package-challenges.ts";
import { packageFolder } from "./migrations/0018-package-folder.ts";
import { PackageFiles } from "./package-files.ts";
import { ReadExports } from "./read-exports.ts";
import { verificationsPart } from "./record-verification.ts";
import { exportRoutes } from "./routes.ts";

/** The family of exports. */
export const exports = {
  name: "exports",
  events: [exportCreated, exportDeleted, packageAccessed, packageGenerated, packageVerified],
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
  tells: [built],
  tables: [
    administrationTable("package_folder", "folder_no"),
    administrationTable("exports", "export_id"),
    administrationTable("export_ranges", "export_id", "stream_id"),
    administrationTable("export_accesses", "access_id"),
    administrationTable("export_verifications", "access_id", "verifier_kind", "verifier_version"),
  ],
  migrations: [exportTables, packageChallenges, packageFolder],
  parts: [exportsPart, downloadRecordsPart, verificationsPart],
  open: (context) => {
    const { parts, database, folder } = context;
    return {
      routes: exportRoutes({
        exports: parts.use(exportsPart),
        readExports: new ReadExports(database),
        downloadRecords: parts.use(downloadRecordsPart),
        downloads: new Downloads(context, new PackageFiles(folder.exportsPath)),
        recordVerification: parts.use(verificationsPart),
      }),
    };
  },
  work: (context) => {
    const building = createExportBuilding(context, new PackageFiles(context.folder.exportsPath));
    for (const topic of [exportsChanged, sealed]) context.channel.subscribe<unknown>(topic, () => building.wake());
    return { jobs: [building] };
  },
  check: checkExports,
} satisfies ServerFamily;
