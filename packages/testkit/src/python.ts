/**
 * The Pythons of this machine, and a virtual environment for each, with the requirements of the lock file. An
 * environment is kept in `.venv/` until the lock changes.
 */
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The folder of the Python SDK. */
export const FOLDER = fileURLToPath(new URL("../../../sdks/python/", import.meta.url));
const NAMES = ["python3.14", "python3.13", "python3.12", "python3.11", "python3.10", "python3"];
/** pyenv keeps its versions here; its own commands start only those that somebody chose. */
const PYENV = join(process.env.PYENV_ROOT ?? join(homedir(), ".pyenv"), "versions/*/bin/python3");
const LOWEST = "3.10";

/** Resolves to the commands of the usable Pythons, each version once, the newest first. */
export async function pythons(): Promise<string[]> {
  const found = new Map<string, string>();
  for (const name of [...NAMES, ...globSync(PYENV)]) {
    const version = await versionOf(name);
    if (version !== null && isNewEnough(version) && !found.has(version)) found.set(version, name);
  }
  const minor = (version: string) => Number(version.split(".")[1]);
  return [...found].sort(([a], [b]) => minor(b) - minor(a)).map(([, command]) => command);
}

/** Says that no Python was found: a line here, and a failure where everything must run. */
export function saysMissing(): string {
  const line =
    `NOT RUN: Python SDK, no python ≥ ${LOWEST} that can make virtual ` + `environments (Debian's needs python3-venv)`;
  console.log(line);
  if (process.env.CI === "true") throw new Error(line);
  return line;
}

/**
 * Resolves to the Python of an environment with the requirements of a lock file, those of the SDK's own tests if none
 * is named. Rejects where they cannot be installed.
 */
export async function environment(command: string, lock = join(FOLDER, "requirements.lock")): Promise<string> {
  const version = (await versionOf(command)) ?? "none";
  const digest = createHash("sha256").update(readFileSync(lock)).digest("hex").slice(0, 12);
  const folder = join(FOLDER, ".venv", `${version}-${digest}`);
  const python = join(folder, "bin/python");
  if (existsSync(python)) return python;
  // Made beside, and moved when it is whole, so that a run that was stopped leaves none that looks so.
  mkdirSync(join(FOLDER, ".venv"), { recursive: true });
  const unfinished = mkdtempSync(`${folder}.`);
  try {
    await run(command, ["-m", "venv", unfinished]);
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r", lock];
    await run(join(unfinished, "bin/python"), pip);
    moveUnlessThere(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return python;
}

/** Another test file may have made the same environment meanwhile. */
function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(join(to, "bin/python"))) throw error;
  }
}

/** Runs a command in the SDK's folder, and passes its output on. Rejects unless it ends with 0. */
export function passes(python: string, ...words: string[]): Promise<void> {
  const env = { ...process.env, PYTHONPATH: "src", PYTHONDONTWRITEBYTECODE: "1" };
  return new Promise((resolve, reject) => {
    const child = spawn(python, words, { cwd: FOLDER, env, stdio: ["ignore", "inherit", "inherit"] });
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${words.join(" ")} ended with ${code}`));
    });
  });
}

async function versionOf(command: string): Promise<string | null> {
  try {
    const { stdout } = await run(command, ["-c", "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"]);
    return stdout.trim();
  } catch {
    return null;
  }
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major === 3 && minor >= 10;
}
