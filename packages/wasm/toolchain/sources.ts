/**
 * The files that the kernel is built from, and one digest over them, so that a kernel older than its sources is noticed
 * without a compiler. Tests, benches and examples of a crate cannot change the kernel and are left out.
 */
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ToolchainError } from "./run.ts";

const WITHOUT = ["tests", "benches", "examples", "target"];

/** Returns the paths of all sources below the Cargo workspace, `/`-separated and sorted by code unit. */
export function listSources(workspace: string): string[] {
  const crates = readdirSync(join(workspace, "crates"))
    .map((crate) => `crates/${crate}`)
    .flatMap((crate) =>
      readdirSync(join(workspace, crate))
        .filter((name) => !WITHOUT.includes(name))
        .flatMap((name) => listFiles(workspace, `${crate}/${name}`)),
    );
  return [...listFiles(workspace, "Cargo.toml"), ...listFiles(workspace, "Cargo.lock"), ...crates].sort();
}

/** Returns the SHA-256, in hex, over path, length and content of every source. */
export function hashSources(workspace: string): string {
  const hash = createHash("sha256");
  for (const path of listSources(workspace)) {
    const content = readFileSync(join(workspace, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/**
 * Copies the sources, and nothing else, into a folder. Removes the folder's other files, except for Cargo's own
 * `target`.
 */
export function stageSources(workspace: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (name !== "target") rmSync(join(folder, name), { recursive: true });
  for (const path of listSources(workspace)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(workspace, path), join(folder, path));
  }
}

function listFiles(workspace: string, path: string): string[] {
  const parent = join(workspace, dirname(path));
  const entry = readdirSync(parent, { withFileTypes: true }).find(
    ({ name }) => join(parent, name) === join(workspace, path),
  );
  if (entry?.isFile()) return [path];
  if (entry?.isDirectory()) {
    return readdirSync(join(workspace, path)).flatMap((name) => listFiles(workspace, `${path}/${name}`));
  }
  throw new ToolchainError(
    entry === undefined
      ? `${path} is missing: the kernel cannot be built without it. Restore it from the repository.`
      : `${path} is neither a file nor a folder: the kernel is built from plain files only. Replace the link by ` +
          `what it points to.`,
  );
}
