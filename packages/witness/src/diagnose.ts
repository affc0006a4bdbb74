/** The checks of an operator, beside a running witness or before its start. They change nothing. */
import { existsSync, statSync } from "node:fs";
import type { Kernel } from "@svc/core";
import { type Finding, fail, looked, ok, warn } from "@svc/host/checks";
import type { Environment } from "@svc/host/settings";
import { openSole, type Reader, SqliteReaders } from "@svc/host/store";
import { headAt, quickCheck, readWitness } from "./checkpoints/checkpoints-store.ts";
import { type Config, keysAreInside, SETTINGS } from "./config.ts";
import { databaseFile } from "./database.ts";
import { countForks } from "./forks/forks-store.ts";
import { markFile } from "./keys/high-water-mark.ts";
import { keyFile, readKey } from "./keys/key-file.ts";
import { readMark } from "./keys/mark-store.ts";
import { requireNewest } from "./keys/require-newest.ts";
import { readWitnessVkey } from "./keys/vkey.ts";
import { countOrigins } from "./origins/origins-store.ts";

/** The permissions of everybody but the owner. */
const OTHERS = 0o077;

/** Resolves to the findings, in the order of printing. `environment`: the variables, of which some may be unknown. */
export async function diagnose(kernel: Kernel, config: Config, environment: Environment = {}): Promise<Finding[]> {
  const { dataFolder, keysFolder } = config;
  const file = databaseFile(dataFolder);
  const findings = checkSettings(environment);
  if (!existsSync(file))
    return [...findings, fail("database", `there is none in ${dataFolder}: make a witness with svc-witness init`)];
  const readers = new SqliteReaders(file);
  const withReader = (check: string, look: (reader: Reader) => Promise<Finding[]>) =>
    looked(check, () => readers.read(look));
  try {
    return [
      ...findings,
      ...(await looked("permissions", () => checkPermissions([file, keyFile(keysFolder), markFile(keysFolder)]))),
      ...(await looked("folders", () => checkFolders(config))),
      ...(await withReader("database", checkPages)),
      ...(await withReader("key", (reader) => checkKey(kernel, keysFolder, reader))),
      ...(await withReader("high-water mark", (reader) => checkMark(keysFolder, reader))),
      ...(await withReader("origins", checkOrigins)),
      ...(await withReader("forks", checkForks)),
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
  const open = files.filter((file) => existsSync(file) && (statSync(file).mode & OTHERS) !== 0);
  if (open.length === 0) return [ok("permissions", "only the owner reads the files")];
  return open.map((file) => fail("permissions", `others may use ${file}: chmod 600 it`));
}

function checkFolders(config: Config): Finding[] {
  if (!keysAreInside(config)) return [ok("folders", "the keys are outside of the data folder")];
  return [
    warn(
      "folders",
      "the keys are in the data folder: a snapshot of it rolls the high-water mark back too, unnoticed. Set SVC_WITNESS_KEYS to a folder on another disk, and move the files of keys there",
    ),
  ];
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
  if (!existsSync(file)) return [fail("high-water mark", `${file} is missing: put the original back`)];
  const database = openSole(file, { waitMs: 0 });
  if (database === null) return [ok("high-water mark", "a witness runs, and holds it")];
  try {
    const mark = await database.read(readMark);
    const row = await readWitness(reader);
    if (mark === null || row === null) return [fail("high-water mark", "it is empty: put the original back")];
    const headAtMark = await headAt(reader, mark.signedNo);
    requireNewest({ vkey: row.vkey, signedNo: row.signed_no, signedHead: row.signed_head, headAtMark }, mark);
    return [ok("high-water mark", `${mark.signedNo} cosignatures, all of them in the database`)];
  } catch (error) {
    return [fail("high-water mark", (error as Error).message)];
  } finally {
    await database.close();
  }
}

async function checkOrigins(reader: Reader): Promise<Finding[]> {
  const origins = await countOrigins(reader);
  if (origins > 0) return [ok("origins", `${origins} known`)];
  return [warn("origins", "none: every checkpoint gets 404. Add a log with svc-witness origins add --vkey")];
}

async function checkForks(reader: Reader): Promise<Finding[]> {
  const forks = await countForks(reader);
  if (forks === 0) return [ok("forks", "no log has signed two histories here")];
  return [warn("forks", `${forks} pieces of evidence: svc-witness forks list shows them. Tell the users of the logs`)];
}
