/** The kernel in every runtime of processes, as one bundled file: its start, its answers, and its replacement. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";
import { findBinary, findNode, runtimeTest, TIMEOUT_MS } from "@svc/testkit/runtimes";
import { bundle, CASES_FILE, FOLDER, KERNEL_COPY } from "./bundle.ts";
import { assertCompiled, assertUnavailable } from "./expected.ts";
import type { Runs } from "./runs.ts";

const program = await bundle("process");
const node20 = findNode(20);

runtimeTest("Node, the pinned one", process.execPath, async (node) => {
  const runs = await run(node, []);
  assert.equal(runs.runtime, `node ${process.versions.node}`);
  assertCompiled(runs);
});

runtimeTest("Node 20 of this machine, the oldest that is supported", node20, async (node) => {
  const runs = await run(node, []);
  assert.match(runs.runtime, /^node 20\./);
  assertCompiled(runs);
});

runtimeTest("Deno, which may read the folder and nothing else", findBinary("deno", "deno"), async (deno) => {
  const runs = await run(deno, ["run", "--no-prompt", "--no-remote", "--no-config", `--allow-read=${FOLDER}`]);
  assert.match(runs.runtime, /^deno \d+\.\d+\.\d+$/);
  assertCompiled(runs);
});

runtimeTest("Bun, which may install nothing", findBinary("bun", "bin/bun"), async (bun) => {
  const runs = await run(bun, ["run", "--no-install"]);
  assert.match(runs.runtime, /^bun \d+\.\d+\.\d+$/);
  assertCompiled(runs);
});

for (const [name, node] of [
  ["Node, the pinned one", process.execPath],
  ["Node 20", node20],
] as const) {
  runtimeTest(`${name}, without WebAssembly: the reference verifies`, node, async (path) => {
    assertUnavailable(await run(path, ["--jitless"]), /^This runtime has no WebAssembly, /);
  });
}

/** Runs the program and reads its one line. */
async function run(runtime: string, args: readonly string[]): Promise<Runs> {
  const { stdout } = await promisify(execFile)(runtime, [...args, program, CASES_FILE, KERNEL_COPY], {
    cwd: FOLDER,
    // The runtime gets only the environment that it needs, and leaves no files.
    env: { PATH: process.env.PATH, HOME: FOLDER, DENO_DIR: FOLDER, DENO_NO_UPDATE_CHECK: "1" },
    maxBuffer: 2 ** 26,
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  assert.match(stdout, /^[^\n]+\n$/, "one line");
  return JSON.parse(stdout) as Runs;
}
