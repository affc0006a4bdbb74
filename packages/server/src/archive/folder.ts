/**
 * The folder of the archive. Folder and database name it by the same text: a disk that is not mounted, or another
 * folder, must not be taken for the archive, neither for writing nor for saying that all is well.
 */
import { join } from "node:path";
import { makeFolderDurably } from "@svc/host/durable-file";
import type { Database } from "@svc/host/store";
import { DataFolderError } from "../data-folder/data-folder.ts";
import { FOLDER_ID, folderIdOf, newFolderId } from "../exports/shared-folder.ts";
import { archiveFolderId, keepArchiveFolder } from "./archives-store.ts";

/**
 * Makes the folder, if the deployment has archived nothing yet, and makes it that of the deployment. Rejects with
 * DataFolderError if it is another one.
 */
export async function requireArchiveFolder(database: Database, folder: string): Promise<void> {
  let known = await database.read(archiveFolderId);
  if (known === null) {
    makeFolderDurably(folder);
    const id = folderIdOf(folder) ?? newFolderId(folder);
    known = await database.write(async (writer) => {
      await keepArchiveFolder(writer, id);
      return archiveFolderId(writer);
    });
  }
  const fault = known === null ? null : folderFault(folder, known);
  if (fault !== null) throw new DataFolderError(fault);
}

/** Returns what is wrong with the folder, as a sentence and what to do; null if it is the deployment's. */
export function folderFault(folder: string, known: string): string | null {
  if (folderIdOf(folder) === known) return null;
  return (
    `The archive of this deployment is in another folder than ${folder}, or that is not mounted. Name the one that ` +
    `all its servers share: SVC_ARCHIVE. If its files were copied into this one, write ${known} into ` +
    `${join(folder, FOLDER_ID)}, and run fsck.`
  );
}
