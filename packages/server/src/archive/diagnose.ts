/**
 * The operator's questions about the archive: whether its folder is there and holds nothing else, and whether erasure
 * has reached it.
 */
import { type Finding, fail, ok, warn } from "@svc/host/checks";
import type { DiagnoseContext } from "../check-context.ts";
import { ArchiveFiles } from "./archive-files.ts";
import { archiveFolderId, archiveTotals, countStale } from "./archives-store.ts";
import { folderFault } from "./folder.ts";

/** Resolves to the findings about the archive. */
export function diagnoseArchive({ read, folder }: DiagnoseContext): Promise<Finding[]> {
  return read("archive", async (reader) => {
    const known = await archiveFolderId(reader);
    const { files, bytes, events } = await archiveTotals(reader);
    const stale = await countStale(reader);
    if (known === null) return [ok("archive", "nothing is archived")];
    const fault = folderFault(folder.archivePath, known);
    if (fault !== null && files > 0) return [fail("archive", `${fault} It holds payloads of ${events} events.`)];
    if (fault !== null) return [warn("archive", fault)];
    const held = `${files} files with ${bytes} bytes in ${folder.archivePath} hold payloads of ${events} events`;
    if (stale > 0)
      return [
        warn(
          "archive",
          `${held}; ${stale} of them still hold an erased payload. Start the server: it writes them anew. If ` +
            `that does not help, its log says why.`,
        ),
      ];
    const foreign = (await new ArchiveFiles(folder.archivePath).foreignNames()).length;
    const beside = foreign === 0 ? "" : `. Beside them are ${foreign} that no server has made: fsck names them`;
    return [ok("archive", `${held}. They belong to every backup${beside}`)];
  });
}
