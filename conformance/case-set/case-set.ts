/**
 * The case set: the fixtures and the generated cases, as the files of the kit's folder `cases/`. `pnpm conformance`
 * runs it, and `pnpm conformance:pack` packs it.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { FIXTURE_KINDS, fixtureCases, levelOf } from "./fixture-cases.ts";
import { lineOf } from "./line.ts";

const GENERATED = fileURLToPath(new URL("../cases/", import.meta.url));

/** Returns the files by their paths from `cases/` on: `<level>/<family>.jsonl`, in the order of the paths. */
export function caseFiles(): ReadonlyMap<string, Uint8Array> {
  const fixtures = FIXTURE_KINDS.map((kind): [string, Uint8Array] => [
    `${levelOf(kind)}/${kind}.jsonl`,
    new TextEncoder().encode(fixtureCases(kind).map(lineOf).join("")),
  ]);
  // `4-mutants.jsonl` here is `4/mutants.jsonl` there: in the repository the files are in one folder.
  const generated = readdirSync(GENERATED).map((name): [string, Uint8Array] => [
    name.replace("-", "/"),
    new Uint8Array(readFileSync(GENERATED + name)),
  ]);
  return new Map([...fixtures, ...generated].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Writes the files under a folder. */
export function writeCases(folder: string): void {
  for (const [path, bytes] of caseFiles()) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
}
