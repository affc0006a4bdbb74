/**
 * Moves a deployment's database from a PostgreSQL server to a file in its folder. Wherever this is cut off, the
 * server's database can be served, or neither can, and the next call goes on:
 *
 * - The file has another name until it is complete.
 * - All tables of the server's database are locked, in one transaction that ends with its mark as left.
 * - The folder says no longer that its database is on a server, and the file loses its mark and gets its name.
 */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OWNER_ONLY_FILE, renameDurably, syncPath } from "@svc/host/durable-file";
import { failpoint } from "@svc/host/failpoint";
import { openDatabase, openSqlite, StoreUnavailable, type Writer } from "@svc/host/store";
import { DATABASE, DataFolderError, MOVING, ON_SERVER } from "../data-folder/data-folder.ts";
import { PLACE } from "../data-folder/place.ts";
import {
  findStoreMigration,
  insertStoreMigration,
  removeStoreMigration,
  type StoreMigration,
} from "../deployment/store-migration.ts";
import { serviceRow } from "../signing/service-store.ts";
import { takeExclusiveLock } from "./exclusive-lock.ts";
import { fill, isOwn, type Moved, type Moving, movedTo, requireOwnOrEmpty } from "./sides.ts";
import type { NamedServer } from "./to-server.ts";

/**
 * Moves the database, or goes on with it, and resolves to its figures. The caller has the folder's lock. `server`: null
 * only if the folder does not say any more that its database is on one. Rejects with DataFolderError, and changes
 * nothing that is served, if other processes use the database, and for a fault on either side.
 */
export async function moveToFile(moving: Moving, server: NamedServer | null): Promise<Moved> {
  const { path } = moving.folder;
  const file = join(path, MOVING);
  let rows: number | null = null;
  if (server !== null) {
    rows = await leaveServer(moving, server, file);
    failpoint("migrate-back: server left");
    rmSync(join(path, ON_SERVER));
    syncPath(path);
    failpoint("migrate-back: folder says nothing");
  }
  const moved = await complete(moving, file, rows);
  // The place of the file that the folder had before says nothing about this one.
  rmSync(join(path, PLACE), { force: true });
  renameDurably(file, join(path, DATABASE));
  failpoint("migrate-back: done");
  return moved;
}

/** Fills the file, and marks the server's database as left; resolves to the number of rows, if that was to be done. */
async function leaveServer(moving: Moving, { place, name }: NamedServer, file: string): Promise<number | null> {
  const { folder } = moving;
  const { database } = openDatabase(place);
  let isAlone = false;
  try {
    return await database.write(
      async (writer) => {
        const mark = await findStoreMigration(writer);
        if (mark !== null) return await requireSameMove(moving, mark, file);
        if ((await writer.tables()).length === 0 || (await serviceRow(writer)) === null)
          throw new DataFolderError(`The database of SVC_DATABASE_URL holds no deployment. Name the right one.`);
        moving.onStep("looking for servers that use the database");
        await takeExclusiveLock(writer, moving.program, moving.clock);
        isAlone = true;
        const rows = await fillFile(moving, writer, name, file);
        failpoint("migrate-back: checked");
        await insertStoreMigration(writer, { ...rows.mark, state: "left", other: join(folder.path, DATABASE) });
        return rows.count;
      },
      { isLocking: true },
    );
  } catch (error) {
    if (isAlone || !(error instanceof StoreUnavailable)) throw error;
    throw new DataFolderError(
      `The tables of the database could not be locked: ${error.message}. Stop every svc-server on it, and run ` +
        `this again.`,
    );
  } finally {
    await database.close();
  }
}

/** Fills the file from the locked database, and closes it; resolves to its mark. */
async function fillFile(moving: Moving, writer: Writer, name: string, file: string) {
  if (!existsSync(file)) {
    // SQLite would let others read it.
    writeFileSync(file, "", { flag: "wx", mode: OWNER_ONLY_FILE });
    syncPath(moving.folder.path);
  }
  failpoint("migrate-back: begun");
  const target = openSqlite(file);
  try {
    await requireOwnOrEmpty(moving, target);
    await target.prepareForgetting();
    const source = {
      database: { read: <T>(work: (reader: Writer) => Promise<T>) => work(writer) },
      kind: "server",
    } as const;
    const count = await fill(moving, source, { database: target, kind: "file" }, { source: name, target: file });
    const mark = await target.read(findStoreMigration);
    if (mark === null) throw new DataFolderError(`The mark of the move is gone from ${file}. Run it again.`);
    await target.forgetDeleted();
    return { count, mark };
  } finally {
    await target.close();
  }
}

/** Rejects with DataFolderError unless the file is complete, and was filled from this database, which was left. */
async function requireSameMove(moving: Moving, left: StoreMigration, file: string): Promise<null> {
  const filled = existsSync(file) ? await markOf(file) : null;
  if (left.state === "left" && isOwn(moving, left) && filled?.state === "checked" && filled.move_id === left.move_id)
    return null;
  throw new DataFolderError(
    left.state === "left"
      ? `This database was moved to ${left.other}, begun ${left.begun_at}, and the folder has no complete copy of ` +
          `it. Look for the one that is served.`
      : `This database is not whole: migrate-store, begun ${left.begun_at}, is moving it here from ${left.other}, ` +
          `or was cut off. Run that again as before.`,
  );
}

async function markOf(file: string): Promise<StoreMigration | null> {
  const database = openSqlite(file);
  try {
    return await database.read(findStoreMigration);
  } finally {
    await database.close();
  }
}

/** Takes the mark out of a complete file; resolves to the figures. Rejects with DataFolderError for any other. */
async function complete(moving: Moving, file: string, rows: number | null): Promise<Moved> {
  const database = openSqlite(file);
  try {
    const mark = await database.read(findStoreMigration);
    if (mark !== null && !(mark.state === "checked" && isOwn(moving, mark)))
      throw new DataFolderError(
        `${file} is not complete, and the folder does not say any more that its database is on a server. Put ` +
          `${ON_SERVER} back from a backup, and run it again.`,
      );
    if (mark !== null) await database.write(removeStoreMigration);
    failpoint("migrate-back: file unmarked");
    await database.forgetDeleted();
    return await movedTo(database, rows);
  } finally {
    await database.close();
  }
}
