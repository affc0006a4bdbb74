/**
 * The pages and the archived log of a PostgreSQL server, as far as it says. They are its own, and its own tools mend
 * them; but they are what the deployment stands on, and what a recovery brings back.
 */
import { type Finding, fail, ok, warn } from "@svc/host/checks";
import type { Reader } from "@svc/host/store";
import type { DataFolder } from "../data-folder/data-folder.ts";
import { type ServerHealth, serverHealth } from "./server-store.ts";

/** Resolves to the findings; to none for a database in a file. */
export async function checkServerHealth(
  reader: Reader,
  { databaseFile }: Pick<DataFolder, "databaseFile">,
): Promise<Finding[]> {
  const health = databaseFile === null ? await serverHealth(reader) : null;
  return health === null ? [] : [ofPages(health), ofLog(health)];
}

function ofPages({ checksums, failed_pages }: ServerHealth): Finding {
  if (checksums !== "on")
    return warn(
      "pages",
      "the server writes its pages without checksums, so that a page that its disk damages is not noticed. " +
        "Switch them on while it is stopped: pg_checksums --enable",
    );
  if (failed_pages !== null && failed_pages > 0)
    return fail(
      "pages",
      `${failed_pages} of the database's pages were not as they had been written. Look to the disk, take a ` +
        `standby or a backup in its place, and run fsck on it.`,
    );
  return ok("pages", "they have checksums, and none has failed; fsck verifies the evidence");
}

function ofLog({ archive_mode, archived_file, archived_at, refused_file }: ServerHealth): Finding {
  if (archive_mode === "off") return ok("log archive", "missing: a recovery ends where its base backup does");
  if (refused_file !== null)
    return warn(
      "log archive",
      `${refused_file} could not be archived, so that a recovery would end before it, and the server's disk ` +
        `fills up. Its log says why.`,
    );
  return archived_file === null
    ? warn("log archive", "nothing has been archived yet. Run on the server: SELECT pg_switch_wal()")
    : ok("log archive", `${archived_file} was archived ${archived_at}; a recovery can go on to there`);
}
