/**
 * Moves a deployment's database from the file in its folder to a PostgreSQL server, where an empty database waits for
 * it. Wherever this is cut off, the file can be served, or neither can, and the next call goes on:
 *
 * - The server's database is marked from its first row on, and refused as long as it is.
 * - The file is open here alone. When the copy is verified, the file is marked as left: neither is served from then on.
 * - The file gets another name, the folder says that its database is on a server, and the mark there is removed.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { renameDurably } from "@svc/host/durable-file";
import { failpoint } from "@svc/host/failpoint";
import { type Database, openDatabase, openSole, type ServerLocation } from "@svc/host/store";
import { DataFolderError, MOVED, MOVING, sayOnServer } from "../data-folder/data-folder.ts";
import {
  findStoreMigration,
  insertStoreMigration,
  removeStoreMigration,
  type StoreMigration,
} from "../deployment/store-migration.ts";
import { fill, isOwn, type Moved, type Moving, movedTo } from "./sides.ts";

/** A server's database, as it is to be called in words: without a password. */
export interface NamedServer {
  readonly place: ServerLocation;
  readonly name: string;
}

/**
 * Moves the database, or goes on with it, and resolves to its figures. The caller has the folder's lock, and has looked
 * at the server. Rejects with DataFolderError, and changes nothing that is served, for a target that is not empty, for
 * a file that others have open, and for a fault on either side.
 */
export async function moveToServer(moving: Moving, server: NamedServer): Promise<Moved> {
  const { path, databaseFile } = moving.folder;
  const { database: target } = openDatabase(server.place);
  try {
    let rows: number | null = null;
    // Where the folder says that its database is on a server already, the mark there can be all that is left to do.
    if (databaseFile === null) await requireComplete(moving, target);
    else {
      if (existsSync(databaseFile)) rows = await leaveFile(moving, target, databaseFile, server.name);
      else await requireLeft(moving, target, join(path, MOVED));
      sayOnServer(path);
      failpoint("migrate-store: folder says server");
    }
    await target.write(removeStoreMigration);
    failpoint("migrate-store: done");
    return await movedTo(target, rows);
  } finally {
    await target.close();
  }
}

/**
 * Fills the target, marks the file as left, and gives it another name. Resolves to the number of rows; to null if the
 * file was left before.
 */
async function leaveFile(moving: Moving, target: Database, file: string, name: string): Promise<number | null> {
  const { path } = moving.folder;
  for (const other of [MOVED, MOVING])
    if (existsSync(join(path, other)))
      throw new DataFolderError(
        `${join(path, other)} is left from another move. Take it out of the folder, and run this again.`,
      );
  const source = openAlone(file);
  let rows: number | null = null;
  try {
    const left = await source.read(findStoreMigration);
    if (left === null) {
      const sides = [
        { database: source, kind: "file" } as const,
        { database: target, kind: "server" } as const,
      ] as const;
      rows = await fill(moving, ...sides, { source: file, target: name });
      failpoint("migrate-store: checked");
      const mark = await requireComplete(moving, target);
      await source.write((writer) => insertStoreMigration(writer, { ...mark, state: "left", other: name }));
      failpoint("migrate-store: file left");
    } else await requireSameMove(moving, target, left);
  } finally {
    // All of it is in the file then: there is no journal that could keep the old name.
    await source.close();
  }
  renameDurably(file, join(path, MOVED));
  failpoint("migrate-store: file renamed");
  return rows;
}

/** Opens a file that nobody else has open. Throws DataFolderError if another process has. */
function openAlone(file: string): Database {
  const source = openSole(file);
  if (source !== null) return source;
  throw new DataFolderError(
    `Another process has ${file} open, such as fsck or backup. Wait until it has ended, and run this again.`,
  );
}

/** Resolves to the mark of a complete target. Rejects with DataFolderError for any other. */
async function requireComplete(moving: Moving, target: Database): Promise<StoreMigration> {
  const mark = await target.read(findStoreMigration);
  if (mark?.state === "checked" && isOwn(moving, mark)) return mark;
  throw new DataFolderError(
    `The database of ${moving.folder.path} is on a server already. To move it to a file in the folder: ` +
      `migrate-store --to-file`,
  );
}

/** Rejects with DataFolderError unless the target was filled from the file, and is complete. */
async function requireLeft(moving: Moving, target: Database, moved: string): Promise<void> {
  if (!existsSync(moved) || existsSync(join(moving.folder.path, MOVING)))
    throw new DataFolderError(
      `The moving of the database of ${moving.folder.path} to a file was cut off at its end. Run "migrate-store ` +
        `--to-file"; it goes on.`,
    );
  const source = openAlone(moved);
  try {
    const left = await source.read(findStoreMigration);
    if (left === null)
      throw new DataFolderError(`${moved} was not moved by migrate-store. Give it the name svc.db again.`);
    await requireSameMove(moving, target, left);
  } finally {
    await source.close();
  }
}

/** Rejects with DataFolderError unless the target is complete, and the mark of the file is of the same move. */
async function requireSameMove(moving: Moving, target: Database, left: StoreMigration): Promise<void> {
  const mark = await target.read(findStoreMigration);
  if (mark?.state === "checked" && mark.move_id === left.move_id && isOwn(moving, mark)) return;
  throw new DataFolderError(
    `The database of ${moving.folder.path} was moved to ${left.other}, begun ${left.begun_at}, and the one that ` +
      `is named is not that. Name that one.`,
  );
}
