/**
 * The programs of PostgreSQL, from tools/programs, and new data folders. PostgreSQL refuses to run as root, so root
 * runs it as another user; nothing of the machine is changed for that.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { temporaryFolder } from "./temporary-folder.ts";

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;

/** The name of the administrator in every data folder. */
export const ADMINISTRATOR = "postgres";

/** Data folders are made once for an installation, and copied: a copy takes a tenth of the time. */
const MADE = fileURLToPath(new URL("../../../node_modules/.svc-postgres", import.meta.url));

/** The user that PostgreSQL runs as: `nobody` if the tests run as root. initdb asks for a user with a name. */
export const RUN_AS: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** The folder with the programs; null on a machine without them. */
const NATIVE: string | null = findNative();

function findNative(): string | null {
  try {
    const main = import.meta.resolve(`postgres-${process.platform}-${process.arch}`);
    return fileURLToPath(new URL("../native", main));
  } catch {
    return null;
  }
}

function hasName(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

const missing =
  NATIVE === null
    ? `tools/programs has no PostgreSQL for ${process.platform}-${process.arch}`
    : hasName()
      ? null
      : "PostgreSQL does not run as a user without a name";

/** Why a test with PostgreSQL is skipped; false if it can run, and under CI, where it then fails. */
export const NO_POSTGRES: string | false = missing === null || process.env.CI ? false : `${missing}: NOT TESTED`;
if (NO_POSTGRES) console.error(`\n!!! ${NO_POSTGRES}\n`);

/** Programs that the user of PostgreSQL can run. */
export interface Programs {
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
  /** The user and the environment of each program. */
  readonly options: { readonly uid?: number; readonly gid?: number; readonly env: Record<string, string> };
}

let found: Promise<Programs> | undefined;

/** Resolves to the programs. Throws if the machine has none, or cannot run them. */
export function programs(): Promise<Programs> {
  found ??= find();
  return found;
}

async function find(): Promise<Programs> {
  if (NATIVE === null || missing !== null) throw new Error(missing ?? "");
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const inPlace = programsOf(NATIVE, join(folder, "libraries"));
  try {
    await run(inPlace.postgres, ["--version"], { ...inPlace.options, timeout: TIMEOUT_MS });
    return inPlace;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES" || RUN_AS.uid === undefined) throw error;
  }
  // The repository is in a folder that only root can enter.
  const copy = join(folder, "native");
  cpSync(NATIVE, copy, { recursive: true });
  await run("chmod", ["-R", "a+rX", copy], { timeout: TIMEOUT_MS });
  return programsOf(copy, join(folder, "libraries-of-copy"));
}

/** The package leaves links out, and lists them: programs ask for libraries by the links' names. */
function programsOf(native: string, libraries: string): Programs {
  mkdirSync(libraries, { mode: 0o755 });
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) symlinkSync(join(native, "..", source), join(libraries, basename(target)));
  return {
    postgres: join(native, "bin/postgres"),
    initdb: join(native, "bin/initdb"),
    pgCtl: join(native, "bin/pg_ctl"),
    // A library that was found by a link looks for others beside the link.
    options: {
      ...RUN_AS,
      env: { PATH: process.env.PATH ?? "", LD_LIBRARY_PATH: `${libraries}:${join(native, "lib")}` },
    },
  };
}

/** Makes a data folder that belongs to the user of PostgreSQL; resolves to the administrator's password. */
export async function makeDataFolder(folder: string): Promise<string> {
  const made = await template();
  await copyDataFolder(join(made, "data"), folder);
  return readFileSync(join(made, "password"), "utf8");
}

/** Copies the data folder of a server that is stopped, or in a backup, for the user of PostgreSQL. */
export async function copyDataFolder(from: string, to: string): Promise<void> {
  try {
    await run("cp", ["-R", from, to], { timeout: TIMEOUT_MS, env: { ...process.env, LC_ALL: "C" } });
  } finally {
    await giveAway(to);
  }
}

/** Gives a folder and all in it to the user of PostgreSQL. */
export async function giveAway(folder: string): Promise<void> {
  const { uid, gid } = RUN_AS;
  if (uid !== undefined) await run("chown", ["-R", `${uid}:${gid}`, folder], { timeout: TIMEOUT_MS });
}

let templated: Promise<string> | undefined;

function template(): Promise<string> {
  templated ??= makeTemplate();
  return templated;
}

async function makeTemplate(): Promise<string> {
  const { initdb, options } = await programs();
  const manifest = readFileSync(join(NATIVE ?? "", "../package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  const place = join(MADE, `${version}-of-${process.getuid?.()}`);
  if (existsSync(place)) return place;
  const folder = mkdtempSync(join(tmpdir(), "svc-initdb-"));
  mkdirSync(MADE, { recursive: true });
  const copy = mkdtempSync(join(MADE, "new-"));
  try {
    // Another user of the machine must not become the administrator.
    const password = join(folder, "password");
    writeFileSync(password, randomBytes(16).toString("hex"), { mode: 0o600 });
    const { uid, gid } = RUN_AS;
    if (uid !== undefined && gid !== undefined) for (const path of [folder, password]) chownSync(path, uid, gid);
    await run(
      initdb,
      [
        ...["-D", join(folder, "data"), "-U", ADMINISTRATOR, `--pwfile=${password}`, "-A", "scram-sha-256"],
        ...["--locale=C.UTF-8", "-E", "UTF8", "--no-sync", "--no-instructions"],
      ],
      { ...options, timeout: TIMEOUT_MS },
    );
    await run("cp", ["-R", `${folder}/.`, copy], { timeout: TIMEOUT_MS });
    renameSync(copy, place);
  } catch (error) {
    rmSync(copy, { recursive: true, force: true });
    // Another process was quicker.
    if (!existsSync(place)) throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
  return place;
}
