/** The operator's question about erasure: whether the files of the database have forgotten the payloads. */
import { type Finding, ok, warn } from "@svc/host/checks";
import { serviceTime } from "@svc/host/clock";
import type { DiagnoseContext } from "../check-context.ts";
import { erasuresInFiles } from "./erasures-store.ts";

const HOUR_MS = 3_600_000;

/** Resolves to a warning if a payload that was erased an hour ago may still be in the files. */
export function diagnoseErasures({ read, now, folder }: DiagnoseContext): Promise<Finding[]> {
  return read("erasures", async (reader) => {
    if (folder.databaseFile === null) return onServer(await erasuresInFiles(reader, serviceTime(now)));
    const erasures = await erasuresInFiles(reader, serviceTime(now - HOUR_MS));
    return erasures > 0
      ? [
          warn(
            "erasures",
            `${erasures} payloads are still in old pages of the files. Start the server: it clears them.`,
          ),
        ]
      : [ok("erasures", "none waits for the files to be cleared")];
  });
}

/** A server's files, archived logs, backups and standbys are its operator's to clear. */
function onServer(erasures: number): Finding[] {
  if (erasures === 0) return [ok("erasures", "none so far")];
  return [
    ok(
      "erasures",
      `${erasures} payloads are gone from every table; old versions of their rows stay in the server's files ` +
        `until VACUUM, and in its archived log and its backups as long as these are kept`,
    ),
  ];
}
