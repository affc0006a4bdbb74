/** The conformance kit over the command of the Go SDK. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { GO_SVC } from "./command.ts";
import { folderOf } from "./service.ts";

const PROGRAM = fileURLToPath(new URL("../../../conformance/main.ts", import.meta.url));
/** The first module of each of our programs. */
export const PINNED: string = new URL("../../../tools/pinned-node.mjs", import.meta.url).href;

/** Runs the conformance kit over the command, and returns what it prints. Its finds go with the test. */
export function kit(t: TestContext, kernel: string, words: readonly string[]): string {
  const command = `${GO_SVC} conformance --kernel ${kernel}`;
  const call = ["--import", PINNED, PROGRAM, "--command", command, ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, call, { cwd: folderOf(t), encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}
