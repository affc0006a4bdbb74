/** The archive: payloads of older events, in files that verify by themselves, in place of the database. */

import { administrationTable, requestTable } from "@svc/host/store";
import type { ServerFamily } from "../context.ts";
import { erased } from "../erasure/erased.ts";
import { createArchiving } from "./archive-job.ts";
import { checkArchive } from "./check-archive.ts";
import { diagnoseArchive } from "./diagnose.ts";
import { archiveMetrics } from "./metrics.ts";
import { archiveTables } from "./migrations/0020-archive.ts";
import { archiveSettings } from "./settings.ts";

/** The family of the archive. */
export const archive = {
  name: "archive",
  tables: [
    requestTable("archives", "stream_id", "stream_id", "to_seq_no"),
    administrationTable("archive_leavings", "file"),
    administrationTable("archive_folder", "folder_no"),
  ],
  migrations: [archiveTables],
  settings: archiveSettings,
  metrics: archiveMetrics,
  work: (context) => {
    const { archiveAfterDays: days } = context.settings(archiveSettings);
    const archiving = createArchiving(context, { days });
    context.channel.subscribe(erased, () => archiving.wake());
    return { jobs: [archiving] };
  },
  check: checkArchive,
  diagnose: diagnoseArchive,
} satisfies ServerFamily;
