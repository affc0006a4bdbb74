/** The settings of the archive. Its folder is one of the process (process-settings.ts), since reading needs it too. */
import { integer, setting } from "@svc/host/settings";

const MAX_DAYS = 36_500;

/** The age at which events are archived. */
export const archiveSettings = {
  /** Null: nothing more is archived. */
  archiveAfterDays: setting({
    variable: "SVC_ARCHIVE_AFTER_DAYS",
    meaning: `payloads this many days old are moved into files of the archive, 0 to ${MAX_DAYS} (default: never)`,
    parse: integer(0, MAX_DAYS),
  }),
};
