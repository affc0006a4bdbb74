/** The database of a backup that holds it as a file: whether it is the one of the manifest, and how it is made fit. */
import type { Json, Kernel } from "@svc/core";
import { becomeOriginal, type Database, openSqlite } from "@svc/host/store";
import { DataFolderError } from "../data-folder/data-folder.ts";
import { loseExport } from "../exports/delete-export.ts";
import { readyExports } from "../exports/exports-store.ts";
import { checkDatabase } from "../fsck/check-database.ts";
import { type Contents, contentsOf } from "./contents-store.ts";
import type { FileManifest } from "./manifest.ts";
import type { RestoredDatabase } from "./restored-database.ts";

/** Opens the copied file. Rejects with DataFolderError if it is not as the manifest says. */
export async function openRestoredFile(
  path: string,
  manifest: FileManifest,
  kernel: Kernel,
): Promise<RestoredDatabase> {
  const database = openSqlite(path);
  try {
    requireAsDescribed(await database.read(contentsOf), manifest, kernel);
    await database.write(becomeOriginal);
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    database,
    contents: manifest,
    asOf: manifest.created_at,
    name: "this backup",
    faults: checkDatabase,
    advice: "Use another backup; keep this one as evidence.",
    settle: (now) => losePackages(database, now),
  };
}

/** Throws DataFolderError if the manifest differs from the content of the database. */
function requireAsDescribed(contents: Contents, manifest: FileManifest, kernel: Kernel): void {
  const text = (value: unknown) => Buffer.from(kernel.canonicalize(value as Json)).toString();
  for (const [member, value] of Object.entries(contents))
    if (text(value) !== text(manifest[member as keyof Contents]))
      throw new DataFolderError(
        `The manifest of this backup names another ${member} than its database has: it was changed. Use another ` +
          `backup.`,
      );
}

/**
 * No backup holds packages. Their rows are marked as lost now, because a start would find them missing and make a good
 * backup look bad.
 */
async function losePackages(database: Database, now: string): Promise<void> {
  await database.write(async (writer) => {
    for (const row of await readyExports(writer)) await loseExport(writer, row, now);
  });
}
