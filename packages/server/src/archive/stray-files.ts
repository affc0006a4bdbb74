/**
 * Files in the folder of the archive that the database does not name. The server neither reads nor removes any of them.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Fault } from "@svc/host/checks";
import type { Database } from "@svc/host/store";
import { ArchiveFiles } from "./archive-files.ts";
import { unknownFiles } from "./rows-store.ts";

/** Yields the files that the database does not name, as faults. */
export async function* strayFiles(database: Pick<Database, "read">, folder: string): AsyncGenerator<Fault> {
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
