/** The checks of an operator, beside a running witness or before its start. They change nothing. */
import { accessSync, constants, statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { Kernel } from "@svc/core";
import { type Finding, fail, looked, ok, warn } from "@svc/host/checks";
import { systemClock } from "@svc/host/clock";
import type { Environment } from "@svc/host/settings";
import { openSole, type Reader, SqliteReaders } from "@svc/host/store";
import { checkMemory } from "./checkpoints/check-memory.ts";
import { headAt, isSealed, quickCheck, readWitness } from "./checkpoints/checkpoints-store.ts";
import { isWhole } from "./checkpoints/tree-sum.ts";
import { type Config, keysAreInside, SETTINGS } from "./config.ts";
import { databaseFile, missingDatabase } from "./database.ts";
import { wrongFile } from "./forks/fork-folder.ts";
import { countForks } from "./forks/forks-store.ts";
import { isThere } from "./is-there.ts";
import { markFile } from "./keys/high-water-mark.ts";
import { isOpenToOthers, keyFile, readKey } from "./keys/key-file.ts";
import { readMark } from "./keys/mark-store.ts";
import { CHANGED, requireNewest } from "./keys/require-newest.ts";
import { readWitnessVkey } from "./keys/vkey.ts";
import { countOrigins } from "./origins/origins-store.ts";

/** Less room than this is a failure. */
const LEAST_FREE_BYTES = 16 * 1024 ** 2;
/** How far clocks may differ before anybody has to know. */
const MAX_AHEAD_S = 60;

/**
 * Resolves to the findings, in the order of printing. `environment`: the variables, of which some may be unknown.
 * `now`: in ms since 1970.
 */
export async function diagnose(
  kernel: Kernel,
  config: Config,
  environment: Environment = {},
  now: number = systemClock(),
): Promise<Finding[]> {
  const { dataFolder, keysFolder } = config;
  const file = databaseFile(dataFolder);
  const findings = checkSettings(environment);
  const missing = await looked("database", () => {
    const why = missingDatabase(config);
    return why === null ? [] : [fail("database", why)];
  });
  if (missing.length > 0) return [...findings, ...missing];
  const readers = new SqliteReaders(file);
  const withReader = (check: string, look: (reader: Reader) => Promise<Finding[]>) =>
    looked(check, () => readers.read(look));
  try {
    return [
      ...findings,
      ...(await looked("permissions", () => checkPermissions([file, keyFile(keysFolder), markFile(keysFolder)]))),
      ...(await looked("folders", () => checkFolders(config))),
      ...(await looked("room", () => checkRoom(config))),
      ...(await withReader("database", checkPages)),
      ...(await withReader("key", (reader) => checkKey(kernel, keysFolder, reader))),
      ...(await withReader("high-water mark", (reader) => checkMark(keysFolder, reader))),
      ...(await withReader("cosigned trees", (reader) => checkTrees(kernel, keysFolder, reader, now))),
      ...(await withReader("origins", checkOrigins)),
      ...(await withReader("forks", (reader) => checkForks(dataFolder, reader))),
    ];
  } finally {
    readers.close();
  }
}

function checkSettings(environment: Environment): Finding[] {
  const known = Object.values(SETTINGS).map(({ variable }) => variable);
  const unread = Object.keys(environment).filter((name) => name.startsWith("SVC_WITNESS_") && !known.includes(name));
  const words = (name: string) => `${name} is set, and there is no such setting: start --help lists all`;
  return unread.length === 0 ? [ok("settings", "no mistakes")] : unread.map((name) => warn("settings", words(name)));
}

function checkPermissions(files: readonly string[]): Finding[] {
  const there = files.filter(isThere);
  const findings = [
    ...there.filter(isOpenToOthers).map((file) => fail("permissions", `others may use ${file}: chmod 600 it`)),
    ...[...new Set(there.flatMap((file) => [dirname(file), file]))]
      .filter((path) => !isWritable(path))
      .map((path) =>
        fail("permissions", `this user may not write ${path}: run it as the user to whom the folder belongs`),
      ),
  ];
  return findings.length === 0 ? [ok("permissions", "only the owner reads the files, and may write them")] : findings;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function checkFolders(config: Config): Finding[] {
  if (!keysAreInside(config)) return [ok("folders", "the keys are outside of the data folder")];
  return [
    warn(
      "folders",
      "the keys are in the data folder: a snapshot of it rolls the high-water mark back too, unnoticed. Set " +
        "SVC_WITNESS_KEYS to a folder on another disk, and move the files of keys there",
    ),
  ];
}

function checkRoom({ dataFolder, keysFolder }: Config): Finding[] {
  for (const folder of [dataFolder, keysFolder]) {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < LEAST_FREE_BYTES)
      return [
        fail("room", `less than 16 MiB are free on the disk of ${folder}: make room, a full one ends all signing`),
      ];
  }
  return [ok("room", "the disks have some")];
}

async function checkPages(reader: Reader): Promise<Finding[]> {
  const answer = await quickCheck(reader);
  if (answer === "ok") return [ok("database", "its pages are whole")];
  return [fail("database", `its file is damaged: ${answer}. Put the newest copy back, and keep this file`)];
}

async function checkKey(kernel: Kernel, keysFolder: string, reader: Reader): Promise<Finding[]> {
  const row = await readWitness(reader);
  if (row === null) return [fail("key", "the database holds no witness: init did not end. Make it again elsewhere")];
  if (readWitnessVkey(kernel, row.vkey).publicKeyHex !== readKey(keysFolder).publicKeyHex)
    return [fail("key", `the database is of ${row.vkey}, and the key is another one. Put the original back`)];
  return [ok("key", row.vkey)];
}

async function checkMark(keysFolder: string, reader: Reader): Promise<Finding[]> {
  const file = markFile(keysFolder);
  if (!isThere(file)) return [fail("high-water mark", `${file} is missing: put the original back`)];
  const database = openSole(file, { waitMs: 0 });
  if (database === null) return [ok("high-water mark", "a witness runs, and holds it")];
  try {
    const mark = await database.read(readMark);
    const row = await readWitness(reader);
    if (mark === null || row === null) return [fail("high-water mark", "it is empty: put the original back")];
    const headAtMark = await headAt(reader, mark.signedNo);
    const { vkey, signed_no: signedNo, signed_head: signedHead, tree_sum: treeSum } = row;
    requireNewest({ vkey, signedNo, signedHead, treeSum, headAtMark }, mark);
    return [ok("high-water mark", `${mark.signedNo} cosignatures, all of them in the database`)];
  } catch (error) {
    return [fail("high-water mark", (error as Error).message)];
  } finally {
    await database.close();
  }
}

async function checkTrees(kernel: Kernel, keysFolder: string, reader: Reader, now: number): Promise<Finding[]> {
  const check = "cosigned trees";
  const row = await readWitness(reader);
  if (row === null) return [];
  const { origins, fault, cosignedAt } = await checkMemory(kernel, reader, row.vkey);
  if (fault !== null)
    return [fail(check, `${fault.origin}: ${fault.why}. The database was changed or damaged: put the newest one back`)];
  if (isSealed(row) && !(await isWhole(readKey(keysFolder).memory, reader, row))) return [fail(check, CHANGED)];
  const aheadS = cosignedAt - Math.floor(now / 1000);
  if (aheadS > MAX_AHEAD_S)
    return [
      warn(
        check,
        `the latest is of ${new Date(cosignedAt * 1000).toISOString()}, ${aheadS} s ahead of this machine's ` +
          `clock. The times of an origin never fall, and logs refuse such a one: set the clock right, or wait ` +
          `until it is there`,
      ),
    ];
  return [ok(check, `${origins} origins, each with its last note`)];
}

async function checkOrigins(reader: Reader): Promise<Finding[]> {
  const origins = await countOrigins(reader);
  if (origins > 0) return [ok("origins", `${origins} known`)];
  return [warn("origins", "none: every checkpoint gets 404. Add a log with svc-witness origins add --vkey")];
}

async function checkForks(dataFolder: string, reader: Reader): Promise<Finding[]> {
  const forks = await countForks(reader);
  if (forks === 0) return [ok("forks", "no log has signed two histories here")];
  const found = `${forks} pieces of evidence: svc-witness forks list shows them. Tell the users of the logs`;
  const wrong = await wrongFile(dataFolder, reader);
  const lacking = `${wrong} is missing, or is not the evidence that the database has: a start writes it anew`;
  return [warn("forks", found), ...(wrong === null ? [] : [warn("forks", lacking)])];
}
