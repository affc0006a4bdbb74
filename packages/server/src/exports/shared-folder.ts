/**
 * The folder of the packages where several servers share a database: it must be one folder for all of them, since each
 * of them may be asked for a package, and deletes those whose file is gone. Folder and database name it by the same
 * text.
 */
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolderDurably, OWNER_ONLY_FILE, syncPath } from "@svc/host/durable-file";
import type { Database, Reader } from "@svc/host/store";
import { DataFolderError } from "../data-folder/data-folder.ts";

/** The file with the folder's name. */
export const FOLDER_ID = "folder-id";
const INTO = { table: "package_folder", columns: ["folder_no", "folder_id"], skipsRepeated: true };

/**
 * Makes the folder if it is missing, and makes it that of the database if that has none yet. Rejects with
 * DataFolderError if it is another one.
 */
export async function requireSharedFolder(database: Database, folder: string): Promise<void> {
  makeFolderDurably(folder);
  const id = folderIdOf(folder) ?? newFolderId(folder);
  const known =
    (await database.read(knownId)) ??
    (await database.write(async (writer) => {
      await writer.insert(INTO, [[1, id]]);
      return knownId(writer);
    }));
  if (known !== id)
    throw new DataFolderError(
      `The packages of this deployment are in another folder than ${folder}. Name the one that all its servers ` +
        `share: SVC_EXPORTS. If that is lost for good, write ${known} into ${join(folder, FOLDER_ID)}: its ` +
        `packages are deleted then.`,
    );
}

async function knownId(reader: Reader): Promise<string | null> {
  return (await reader.first<{ folder_id: string }>("SELECT folder_id FROM package_folder"))?.folder_id ?? null;
}

/** Returns the name that a folder has; null if it has none, or is not there. */
export function folderIdOf(folder: string): string | null {
  try {
    return readFileSync(join(folder, FOLDER_ID), "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Gives a folder a name, and returns it. Two servers may begin at a time: the name of the first one holds. */
export function newFolderId(folder: string): string {
  const id = randomUUID();
  try {
    writeFileSync(join(folder, FOLDER_ID), `${id}\n`, { flag: "wx", mode: OWNER_ONLY_FILE, flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return folderIdOf(folder) ?? id;
  }
  syncPath(folder);
  return id;
}
