/**
 * The runtimes that the tests start: those of the development dependencies, and an older Node of the machine. A test
 * without its runtime is skipped with a loud message; under CI it fails.
 */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import process from "node:process";
import { test } from "node:test";

/** The time limit of a test with its own runtime, in milliseconds. */
export const TIMEOUT_MS = 120_000;

/** Adds a test that starts a runtime; `run` gets the runtime, or its path. */
export function runtimeTest<Runtime>(
  name: string,
  runtime: Runtime | null,
  run: (runtime: Runtime) => Promise<void>,
): void {
  if (runtime !== null) {
    test(name, { timeout: TIMEOUT_MS }, () => run(runtime));
    return;
  }
  const missing = `a runtime is missing for: ${name}`;
  if (process.env.CI) {
    test(name, () => assert.fail(missing));
  } else {
    console.error(`\n!!! ${missing}\n!!! NOT TESTED\n`);
    test(name, { skip: missing });
  }
}

/**
 * Returns why a test that starts a program of the machine is skipped; false if the program is there, and under CI,
 * where the test fails without it.
 */
export function without(program: string): string | false {
  const isThere = spawnSync(program, ["--version"]).error === undefined;
  return isThere || process.env.CI ? false : `${program} is not installed: NOT TESTED`;
}

/**
 * Returns the path of a program in the package of binaries for this machine, one of a package's optional dependencies;
 * null if none is installed. `from`: the module that depends on the package.
 */
export function findBinary(packageName: string, program: string, from: string = import.meta.url): string | null {
  const require = createRequire(from);
  const manifest = require.resolve(`${packageName}/package.json`);
  const { optionalDependencies } = require(manifest) as { optionalDependencies: Readonly<Record<string, string>> };
  const programs = Object.keys(optionalDependencies).map((name) => join(manifest, "../..", name, program));
  return programs.find((path) => existsSync(path)) ?? null;
}

/** Returns the path of the first Node of a major version on the PATH, or null. */
export function findNode(major: number): string | null {
  const files = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "node"));
  return files.find((file) => existsSync(file) && versionOf(file).startsWith(`v${major}.`)) ?? null;
}

function versionOf(node: string): string {
  return execFileSync(node, ["--version"], { encoding: "utf8", timeout: TIMEOUT_MS });
}
