/**
 * Which tests a change can break, by the house's own rule: tests are in folders named as those of their source. A
 * changed folder's tests come first, then those of its whole package, its other folders', and those of the packages
 * that depend on it.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Unit } from "./plan.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Rooms that run the server, or hold a part of it. */
const AROUND_SERVER = [
  "packages/platform",
  "packages/sdk",
  "sdks/go",
  "sdks/python",
  "sdks/pytest-svc",
  "demo",
  "tools/api-page",
  "tools/chaos",
  "bench",
];
/** Rooms that verify. */
const VERIFIERS = ["packages/cli", "packages/web-verify", "sdks/go", "sdks/python", "conformance"];

/**
 * By room: the rooms that a change in it can break besides itself, the directest first. A room is a package, or a
 * folder beside the packages. A path in no room of this table can break everything.
 */
export const DEPENDENTS: Readonly<Record<string, readonly string[]>> = {
  "packages/wasm": [
    ...["packages/core", "packages/report", "packages/sdk", ...VERIFIERS, "packages/server", "packages/host"],
    ...["packages/witness", "tools/api-page", "tools/chaos"],
  ],
  "packages/core": [
    ...["packages/report", "packages/api", ...VERIFIERS, "packages/host", "packages/server", "packages/witness"],
    ...["tools/spec", "fixtures", ...AROUND_SERVER, "tools/mutants"],
  ],
  "packages/api": [
    ...["packages/host", "packages/server", "packages/cli", "tools/spec", "packages/witness", ...AROUND_SERVER],
  ],
  "packages/report": [
    ...["packages/cli", "packages/web-verify", "tools/spec", "sdks/go", "sdks/python", "conformance"],
    ...["packages/server", "tools/chaos"],
  ],
  "packages/host": ["packages/server", "packages/witness", ...AROUND_SERVER, "packages/cli"],
  "packages/sdk": [
    ...["packages/cli", "sdks/go", "sdks/python", "demo", "tools/chaos", "tools/sdk-reference", "packages/server"],
  ],
  "packages/cli": ["conformance", "sdks/go", "sdks/python", "demo", "packages/server"],
  "packages/web-verify": ["conformance", "packages/server", "packages/cli", "sdks/go", "sdks/python", "tools/chaos"],
  "packages/server": [...AROUND_SERVER, "packages/cli"],
  "packages/platform": [],
  "packages/witness": ["packages/server", "demo", "tools/chaos"],
  "sdks/go": [],
  "sdks/python": ["sdks/pytest-svc"],
  "sdks/pytest-svc": [],
  "tools/api-page": [],
  "tools/chaos": ["packages/server", "sdks/go", "sdks/python"],
  "tools/mutants": [],
  "tools/programs": [],
  "tools/sdk-reference": [],
  "tools/spec": [],
  "tools/suite": [],
  "tools/test-tools": [],
  bench: ["packages/core", "sdks/python"],
  conformance: ["packages/cli", "sdks/go", "sdks/python"],
  contracts: ["packages/server", "packages/core"],
  demo: ["packages/server"],
  deploy: ["packages/server", "packages/witness"],
  // Their examples are run by the tests of what they are about.
  docs: [
    ...["packages/core", "packages/sdk", "packages/cli", "packages/server", "packages/witness", "sdks/go"],
    ...["sdks/python", "tools/api-page", "tools/sdk-reference"],
  ],
  fixtures: ["packages/core", "packages/report", ...VERIFIERS, "packages/sdk"],
  spec: ["tools/spec", "sdks/go", "sdks/python"],
  // Every run begins with these.
  tools: ["tools/suite", "tools/test-tools"],
  ".ci": ["tools/suite"],
};
/** The texts of tests, by file. */
const texts = new Map<string, string>();
/** Texts at the root are documentation. */
const PAGE = /^[A-Z]+(?:\.md)?$/;

/** Returns the room of a path; null if it is in none. */
export function roomOf(path: string): string | null {
  const [first = "", second = ""] = path.split("/");
  if (PAGE.test(path)) return "docs";
  return [`${first}/${second}`, first].find((room) => Object.hasOwn(DEPENDENTS, room)) ?? null;
}

/** Returns the folder of a path inside of its room, among its sources or its tests; null if it is in none. */
export function folderOf(path: string): string | null {
  return /^(?:packages|sdks|tools)\/[^/]+\/(?:src|test)\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** The ways in which a change affects a test, the directest first. The distances of dependents follow. */
export const [ITSELF, SAME_FOLDER, WHOLE_ROOM, SAME_ROOM] = [0, 1, 2, 3] as const;

/**
 * Returns how directly the changes affect a unit: the least distance from any of them; null if they do not. Unknown
 * changes (null) affect everything alike.
 */
export function distanceOf(unit: Unit, changes: readonly string[] | null): number | null {
  if (changes === null) return SAME_ROOM;
  const distances = changes.flatMap((path) => distanceFrom(path, unit.file) ?? []);
  return distances.length === 0 ? null : Math.min(...distances);
}

function distanceFrom(path: string, file: string): number | null {
  if (path === file) return ITSELF;
  if (path.endsWith(".md") && isNamedIn(path, file)) return SAME_FOLDER;
  const changed = roomOf(path);
  if (changed === null) return SAME_ROOM;
  const room = roomOf(file);
  if (room !== changed) {
    const index = DEPENDENTS[changed]?.indexOf(room ?? "") ?? -1;
    return index === -1 ? null : SAME_ROOM + 1 + index;
  }
  const folder = folderOf(file);
  if (folder === null) return WHOLE_ROOM;
  return folder === folderOf(path) ? SAME_FOLDER : SAME_ROOM;
}

/** Says whether a test names a page by its path: most of these run the page's examples. */
function isNamedIn(page: string, file: string): boolean {
  const path = join(ROOT, file);
  if (!texts.has(file)) texts.set(file, existsSync(path) ? readFileSync(path, "utf8") : "");
  const text = texts.get(file) ?? "";
  // `README.md` is not named where the README of a folder is.
  for (let at = text.indexOf(page); at !== -1; at = text.indexOf(page, at + 1))
    if (!/[\w-]\/?$/.test(text.slice(0, at))) return true;
  return false;
}

/** Says whether a path concerns what is installed, built or started on a machine that has nothing. */
function concernsInstall(path: string): boolean {
  // These two say when tests run, and nothing about a machine.
  if (/^tools\/suite\/(?:costs|quarantine)\.json$/.test(path)) return false;
  return /(?:^|\/)package\.json$|^pnpm-[\w-]+\.yaml$|^\.npmrc$|^(?:tools|deploy|\.ci)\//.test(path);
}

/** Says whether CI tries the bare machine for these changes (null: they are unknown), and why or why not. */
export function bareMachine(changes: readonly string[] | null): { readonly isTried: boolean; readonly why: string } {
  if (changes === null)
    return { isTried: true, why: "What changed since the last whole run is unknown: the bare machine is tried." };
  const found = changes.find(concernsInstall);
  if (found !== undefined) return { isTried: true, why: `${found} has changed: the bare machine is tried.` };
  return { isTried: false, why: "Nothing that an install needs has changed: the bare machine is NOT tried." };
}
