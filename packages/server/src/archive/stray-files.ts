/**
 * Files in the folder of the archive that the database does not name. The server neither reads nor removes any of them.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Fault } from "@svc/host/checks";
import { timeOfId } from "@svc/host/ids";
import type { Database } from "@svc/host/store";
import { ArchiveFiles, bundleOf } from "./archive-files.ts";
import { newestTime, unknownFiles } from "./rows-store.ts";

/** The files that the database does not name. */
export interface StrayFiles {
  /** Those that it could have named. */
  readonly faults: readonly Fault[];
  /**
   * The names of those that are newer than all in the database: the archive is copied after the database, so that a
   * good backup has some.
   */
  readonly later: readonly string[];
  /** The names of those that no server has made. */
  readonly foreign: readonly string[];
}

/** Resolves to the files that the database does not name. */
export async function strayFiles(database: Pick<Database, "read">, folder: string): Promise<StrayFiles> {
  const files = new ArchiveFiles(folder);
  const names = (await files.names()) ?? [];
  const [unknown, newest] = await database.read(async (reader) => [
    await unknownFiles(reader, names),
    Date.parse((await newestTime(reader)) ?? ""),
  ]);
  // A server beside this check can have removed one, and then forgotten its name.
  const strays = unknown.filter((file) => existsSync(join(folder, file)));
  const isLater = (file: string) => (timeOfId(bundleOf(file)) ?? 0) > newest;
  return {
    faults: strays
      .filter((file) => !isLater(file))
      .map((file) => ({
        table: "archives",
        row: { file },
        fault:
          "the database does not name this file. A killed process has left it, or it is another deployment's: " +
          "keep it until you know which, and then remove it",
      })),
    later: strays.filter(isLater),
    foreign: await files.foreignNames(),
  };
}
