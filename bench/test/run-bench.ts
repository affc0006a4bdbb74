/** Runs `pnpm bench` and checks the form of what it prints. No time is asserted. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const hasGo: boolean = spawnSync("go", ["version"]).status === 0;
/** An environment in which no program is found. */
export const WITHOUT_PROGRAMS: NodeJS.ProcessEnv = { ...process.env, PATH: "/nowhere" };

/** One line of the table that a bench prints. `ratio` and the yardstick are null where that was not measured. */
export interface Row {
  readonly unit: string;
  readonly wasm: number;
  readonly yardstick: number | null;
  readonly yardstick_name: string;
  readonly native: number | null;
  readonly ratio: number | null;
  readonly target: number | null;
  readonly met: boolean | null;
}

export interface Printed {
  readonly bench: string;
  readonly quick: boolean;
  readonly rounds: number;
  readonly machine: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
}

/** Runs the bench with these words. */
export function run(words: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  return spawnSync(process.execPath, ["bench/main.ts", ...words], { cwd: ROOT, encoding: "utf8", env });
}

/**
 * Returns what a quick bench prints, of all groups or of those named. It ended well, so all its contenders agreed.
 * `env`: its environment, this process's unless another is given.
 */
export function quickly(name: string, groups: readonly string[] = [], env?: NodeJS.ProcessEnv): Printed {
  const { status, stdout, stderr } = run([name, "--quick", "--json", ...groups], env);
  assert.equal(status, 0, stderr);
  const printed: Printed = JSON.parse(stdout);
  assert.deepEqual([printed.bench, printed.quick, printed.rounds], [name, true, 1]);
  return printed;
}

/** Checks the number and the units of rows, and that each measured ratio is that of its two numbers. */
export function expectRows(rows: readonly Row[], count: number, units: readonly string[]): void {
  assert.equal(rows.length, count);
  for (const { unit, ratio, wasm, yardstick } of rows) {
    assert.ok(units.includes(unit), unit);
    if (ratio === null) assert.equal(yardstick, null);
    else assert.equal(ratio, wasm / (yardstick ?? Number.NaN));
  }
}
