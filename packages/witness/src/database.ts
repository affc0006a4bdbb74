/** The files of a witness: how they are made, and opened with the checks that every start makes. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Kernel } from "@svc/core";
import { serviceTime, systemClock } from "@svc/host/clock";
import { makeFolderDurably, OWNER_ONLY_FILE, syncPath } from "@svc/host/durable-file";
import {
  becomeOriginal,
  type EmbeddedDatabase,
  migrate,
  openSqlite,
  type StoreUncertain,
  soleSchema,
} from "@svc/host/store";
import { checkMemory } from "./checkpoints/check-memory.ts";
import {
  bindTrees,
  headAt,
  insertWitness,
  isSealed,
  pointOf,
  readWitness,
  rewriteWitness,
  type SealedRow,
  type WitnessRow,
} from "./checkpoints/checkpoints-store.ts";
import { isWhole, NO_TREES, sealOf, sumOfTrees } from "./checkpoints/tree-sum.ts";
import { forksFolder } from "./forks/fork-folder.ts";
import { isThere } from "./is-there.ts";
import { HighWaterMark, makeMark, markFile } from "./keys/high-water-mark.ts";
import { keyFile, makeKey, readKey, requireOwnerOnly, type WitnessKey } from "./keys/key-file.ts";
import { CHANGED, REMEDY, requireNewest } from "./keys/require-newest.ts";
import { readWitnessVkey, witnessVkey } from "./keys/vkey.ts";
import { MIGRATIONS } from "./migrations.ts";
import { openingFault, WitnessError } from "./witness-error.ts";

/** The folders of a witness. */
export interface Folders {
  readonly dataFolder: string;
  readonly keysFolder: string;
}

/** The size of the database's write-ahead log, in pages, at which they are moved into it. */
const CHECKPOINT_PAGES = 4096;

const NOTHING_SIGNED = { signedNo: 0, signedHead: "0".repeat(64), treeSum: NO_TREES };

/** Returns the path of the database in the data folder. */
export function databaseFile(dataFolder: string): string {
  return join(dataFolder, "witness.sqlite");
}

/** Makes a witness, and resolves to its vkey. Rejects with WitnessError if one of its files exists. */
export async function makeWitness(kernel: Kernel, name: string, { dataFolder, keysFolder }: Folders): Promise<string> {
  for (const file of [databaseFile(dataFolder), keyFile(keysFolder), markFile(keysFolder)])
    if (isThere(file)) throw new WitnessError(`${file} exists: a witness is never made over another one.`);
  for (const folder of [dataFolder, keysFolder, forksFolder(dataFolder)]) makeFolderDurably(folder);
  const key = makeKey(keysFolder);
  const vkey = witnessVkey(kernel, name, key.publicKeyHex);
  await makeMark(keysFolder, { vkey, ...NOTHING_SIGNED });
  writeFileSync(databaseFile(dataFolder), "", { mode: OWNER_ONLY_FILE });
  const database = openSqlite(databaseFile(dataFolder));
  try {
    await migrate(database, () => serviceTime(systemClock()), [soleSchema(MIGRATIONS)]);
    const { signedNo: signed_no, signedHead: signed_head, treeSum: tree_sum } = NOTHING_SIGNED;
    const seal = sealOf(key.memory, vkey, NOTHING_SIGNED);
    await database.write((writer) => insertWitness(writer, { vkey, signed_no, signed_head, tree_sum, seal }));
  } finally {
    await database.close();
  }
  syncPath(dataFolder);
  return vkey;
}

/** Opens the database for a command. Rejects with WitnessError if it is missing or cannot be used. */
export async function openDatabase(
  dataFolder: string,
  onUncertain?: (error: StoreUncertain) => void,
): Promise<EmbeddedDatabase> {
  const file = databaseFile(dataFolder);
  if (!isThere(file)) throw new WitnessError(noWitness(dataFolder));
  let database: EmbeddedDatabase | null = null;
  try {
    database = openSqlite(file, onUncertain, { checkpointPages: CHECKPOINT_PAGES });
    await migrate(database, () => serviceTime(systemClock()), [soleSchema(MIGRATIONS)]);
    return database;
  } catch (error) {
    await database?.close();
    throw openingFault(file, error);
  }
}

function noWitness(dataFolder: string): string {
  return `There is no witness in ${dataFolder}. Make one with svc-witness init, or name its folder with --data.`;
}

/** Returns why there is no database, and what to do about it; null if there is one. */
export function missingDatabase({ dataFolder, keysFolder }: Folders): string | null {
  const file = databaseFile(dataFolder);
  if (isThere(file)) return null;
  if (!isThere(keyFile(keysFolder))) return noWitness(dataFolder);
  return `The database ${file} is missing, and its key is there. ${REMEDY}`;
}

/** A witness whose files agree. */
export interface OpenedWitness {
  readonly database: EmbeddedDatabase;
  readonly mark: HighWaterMark;
  readonly key: WitnessKey;
  readonly name: string;
  readonly vkey: string;
  /** Closes its files. */
  close(): Promise<void>;
}

/**
 * Opens a witness that is to sign, alone on its key. Rejects with WitnessError if a file of it is missing or cannot be
 * used, if the key is another one or readable to others, if the database is older than the mark beside the key, or if
 * another process has the mark.
 */
export async function openWitness(
  kernel: Kernel,
  folders: Folders,
  onUncertain?: (error: StoreUncertain) => void,
): Promise<OpenedWitness> {
  const { dataFolder, keysFolder } = folders;
  const missing = missingDatabase(folders);
  if (missing !== null) throw new WitnessError(missing);
  const key = readKey(keysFolder);
  requireOwnerOnly(keysFolder);
  const mark = await HighWaterMark.open(keysFolder);
  let database: EmbeddedDatabase | null = null;
  try {
    database = await openDatabase(dataFolder, onUncertain);
    const opened = database;
    const { vkey, name } = await requireOwn(kernel, opened, key, mark);
    await requireWritable(databaseFile(dataFolder), opened);
    const close = async () => {
      await opened.close();
      await mark.close();
    };
    return { database, mark, key, name, vkey, close };
  } catch (error) {
    await database?.close();
    await mark.close();
    throw error;
  }
}

/** A database that cannot be written must not look as if it served. */
async function requireWritable(file: string, database: EmbeddedDatabase): Promise<void> {
  try {
    await database.write(rewriteWitness);
  } catch (error) {
    throw openingFault(file, error);
  }
}

async function requireOwn(kernel: Kernel, database: EmbeddedDatabase, key: WitnessKey, mark: HighWaterMark) {
  const [row, headAtMark] = await database.read(async (reader) => [
    await readWitness(reader),
    await headAt(reader, mark.found.signedNo),
  ]);
  if (row === null) throw new WitnessError("The database holds no witness: init did not end. Make it again elsewhere.");
  const { vkey, signed_no: signedNo, signed_head: signedHead, tree_sum: treeSum } = row;
  const { name, publicKeyHex } = readWitnessVkey(kernel, vkey);
  if (publicKeyHex !== key.publicKeyHex)
    throw new WitnessError(`The database is of ${vkey}, and the key is another one. Put the original of either back.`);
  requireNewest({ vkey, signedNo, signedHead, treeSum, headAtMark }, mark.found);
  const sealed = isSealed(row) ? row : await bindFirst(kernel, database, key, row);
  if (!(await database.read((reader) => isWhole(key.memory, reader, sealed)))) throw new WitnessError(CHANGED);
  // A crash may have come between the commit and the mark.
  await mark.raise(pointOf(sealed));
  // A backup that holds all that was signed is as good as the original.
  if (await database.read((reader) => reader.isCopy())) await database.write(becomeOriginal);
  return { vkey, name };
}

/** Binds the last trees of a database that an earlier release has written, if each is the one that was signed last. */
async function bindFirst(
  kernel: Kernel,
  database: EmbeddedDatabase,
  key: WitnessKey,
  row: WitnessRow,
): Promise<SealedRow> {
  const { fault } = await database.read((reader) => checkMemory(kernel, reader, row.vkey));
  if (fault !== null) throw new WitnessError(`${fault.origin}: ${fault.why}. ${CHANGED}`);
  const tree_sum = await database.read((reader) => sumOfTrees(key.memory, reader));
  const seal = sealOf(key.memory, row.vkey, pointOf({ ...row, tree_sum }));
  await database.write((writer) => bindTrees(writer, tree_sum, seal));
  return { ...row, tree_sum, seal };
}
