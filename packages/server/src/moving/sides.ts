/** The questions that both directions of a move have about its two databases. */
import { randomUUID } from "node:crypto";
import type { Kernel } from "@svc/core";
import type { Fault } from "@svc/host/checks";
import { type Clock, serviceTime } from "@svc/host/clock";
import { type Database, migrate, requireSchemas } from "@svc/host/store";
import { type Contents, contentsOf } from "../backup/contents-store.ts";
import type { CheckContext } from "../check-context.ts";
import { type DataFolder, DataFolderError } from "../data-folder/data-folder.ts";
import { requireOwnDatabase } from "../deployment/own-database.ts";
import {
  findStoreMigration,
  insertStoreMigration,
  noteState,
  type StoreMigration,
} from "../deployment/store-migration.ts";
import { checkDatabase } from "../fsck/check-database.ts";
import { checkEvidence } from "../fsck/check-evidence.ts";
import { refuseLoss } from "../high-water-mark/mark-file.ts";
import { lossOfEither } from "../high-water-mark/second-file.ts";
import type { Program } from "../program/program.ts";
import { keyedHashOf } from "../signing/keyed-hash.ts";
import { serviceRow } from "../signing/service-store.ts";
import { copyRows, type Side } from "./copy-rows.ts";

/** A move. */
export interface Moving {
  readonly program: Program;
  readonly folder: DataFolder;
  /** The configured second file of the high-water mark; null for none. */
  readonly progressFile: string | null;
  readonly settings: CheckContext["settings"];
  readonly kernel: Kernel;
  readonly clock: Clock;
  /** Called with a few words about the next step. */
  readonly onStep: (words: string) => void;
}

/** The result of a move. */
export interface Moved extends Pick<Contents, "origin" | "streams" | "events"> {
  /** The rows of all tables, compared on both sides; null if a call before this one has done that. */
  readonly rows: number | null;
}

type Readable = Pick<Database, "read">;

/**
 * Fills a target from a source, verifies both, and notes that the target is complete. Resolves to the number of rows.
 * Rejects with DataFolderError for a fault on either side, and for a target that is not empty and holds no part of this
 * move. `names`: both in words.
 */
export async function fill(
  moving: Moving,
  source: Side,
  target: Side<Database>,
  names: { readonly source: string; readonly target: string },
): Promise<number> {
  const { folder, clock, onStep } = moving;
  await source.database.read((reader) => requireSchemas(reader, moving.program.schemas));
  const service = requireOwnDatabase(folder, await source.database.read(serviceRow));
  // A database that must not be served must not become one whose past nobody sees.
  refuseLoss(await lossOfEither({ first: folder.markPath, configured: moving.progressFile }, source.database));
  const found = await requireOwnOrEmpty(moving, target.database);
  await requireSound(moving, source, `the database to be moved, ${names.source}`);
  const holder = randomUUID();
  if (found === null) {
    const begun_at = serviceTime(clock());
    const { evidence_origin, pepper_mac } = service;
    const mark = { evidence_origin, pepper_mac, begun_at, holder, state: "filling", other: names.source } as const;
    await target.database.write((writer) => insertStoreMigration(writer, { ...mark, move_id: randomUUID() }));
  } else await target.database.write((writer) => noteState(writer, "filling"));
  await migrate(target.database, () => serviceTime(clock()), moving.program.schemas);
  const rows = await copyRows({ program: moving.program, source, target, holder, onStep });
  await requireSound(moving, target, `the copy in ${names.target}`);
  await target.database.write((writer) => noteState(writer, "checked"));
  return rows;
}

/** Resolves to the mark of a target; null for an empty one. Rejects with DataFolderError for every other one. */
export async function requireOwnOrEmpty(moving: Moving, target: Readable): Promise<StoreMigration | null> {
  const mark = await target.read(findStoreMigration);
  if (mark === null) {
    const tables = await target.read((reader) => reader.tables());
    if (tables.length === 0) return null;
    const row = tables.includes("service") ? await target.read(serviceRow) : null;
    throw new DataFolderError(
      row === null
        ? `The database to move to is not empty: it has a table ${tables[0]}. Name an empty one.`
        : `The database to move to holds a deployment already, ${row.evidence_origin}. Name an empty one.`,
    );
  }
  if (mark.state === "left")
    throw new DataFolderError(
      `The database to move to holds what was moved away from it, to ${mark.other}, begun ${mark.begun_at}. Name ` +
        `an empty one, or drop it and make it anew.`,
    );
  if (!isOwn(moving, mark))
    throw new DataFolderError(
      `The database to move to is being filled from another one, ${mark.other} of ${mark.evidence_origin}, begun ` +
        `${mark.begun_at}. Name an empty one, or drop it and make it anew.`,
    );
  return mark;
}

/** Returns whether a mark is of the folder's deployment. */
export function isOwn({ folder }: Moving, mark: StoreMigration): boolean {
  return keyedHashOf(folder, mark.pepper_mac) !== null;
}

/** Resolves to the figures of a moved deployment. */
export async function movedTo(target: Readable, rows: number | null): Promise<Moved> {
  const { origin, streams, events } = await target.read(contentsOf);
  return { origin, streams, events, rows };
}

/** Verifies a whole database, and rejects with DataFolderError for the first fault. `what`: the database in words. */
async function requireSound(
  { program, folder, settings, kernel, onStep }: Moving,
  { database, kind }: Side,
  what: string,
): Promise<void> {
  const { evidence_origin: origin, keyedHash } = requireOwnDatabase(folder, await database.read(serviceRow));
  const checked = {
    program,
    database,
    kernel,
    origin,
    keyedHash,
    exportsPath: folder.exportsPath,
    archivePath: folder.archivePath,
    privateFolder: folder.path,
    settings,
    witnessMemory: null,
    onStep: (words: string) => onStep(`verifying ${what}: ${words}`),
  };
  const faults: AsyncIterable<Fault> = kind === "file" ? checkDatabase(checked) : checkEvidence(checked);
  for await (const { table, row, fault } of faults)
    throw new DataFolderError(
      `fsck finds a fault in ${what}: ${table} ${JSON.stringify(row)}: ${fault}. Nothing is served from a copy. ` +
        `Run fsck on the database that is served; it lists all faults.`,
    );
}
