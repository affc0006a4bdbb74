/**
 * Files in the folder of the archive that the database does not name. The server neither reads nor removes any of them.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Fault } from "@svc/host/checks";
import type { Database } from "@svc/host/store";
import { ArchiveFiles } from "./archive-files.ts";
import { archiveFolderId } from "./archives-store.ts";
import { folderFault } from "./folder.ts";
import { unknownFiles } from "./rows-store.ts";

/** Yields the folder itself if it is not the deployment's, and the files that the database does not name. */
export async function* strayFiles(database: Pick<Database, "read">, folder: string): AsyncGenerator<Fault> {
  const known = await database.read(archiveFolderId);
  if (known === null) return;
  const fault = folderFault(folder, known);
  if (fault !== null) yield { table: "archive_folder", row: {}, fault };
  const names = (await new ArchiveFiles(folder).names()) ?? [];
  for (const file of await database.read((reader) => unknownFiles(reader, names))) {
    // A server beside this check can have removed it, and then forgotten its name.
    if (!existsSync(join(folder, file))) continue;
    yield {
      table: "archives",
      row: { file },
      fault:
        "the database does not name this file. A killed process has left it, or it is of a later time than a database that was put back: keep it until you know which, and then remove it",
    };
  }
}
