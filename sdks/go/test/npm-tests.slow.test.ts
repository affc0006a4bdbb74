/**
 * The tests of the npm `svc` for its trust file, for cutting, finding and completing, run against the command in Go.
 * Tests of commands that it lacks are left out by their names.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { GO_SVC } from "./command.ts";
import { goTest } from "./toolchain.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Each file, how many of its tests must pass, and which are about a command that only the npm `svc` has. */
const FILES: readonly (readonly [file: string, atLeast: number, leftOut?: string])[] = [
  ["trust.slow.test.ts", 13],
  ["trust-writers.slow.test.ts", 6],
  ["cutting.test.ts", 24, "^(note|tlog-proof)|--force leaves a device|left: (note|tlog-proof|continuity):"],
  ["forks-find.test.ts", 4],
  ["looking-and-cutting.slow.test.ts", 6, "transcript continuity"],
  ["completion.slow.test.ts", 7, "completes what is begun"],
];

for (const [file, atLeast, leftOut] of FILES)
  goTest(`the tests of ${file} pass with the command in Go`, async () => {
    const skipped = leftOut === undefined ? [] : [`--test-skip-pattern=${leftOut}`];
    const words = ["--import", "./tools/pinned-node.mjs", "--test", "--test-reporter=tap", ...skipped];
    // The variable by which a runner knows its own processes would silence this one.
    const { NODE_TEST_CONTEXT: _, ...outer } = process.env;
    const env = { ...outer, SVC_PROGRAM: GO_SVC, SVC_TEST_PART: "slow" };
    const { said, code } = await output([...words, `packages/cli/test/${file}`], env);
    assert.equal(code, 0, said);
    const [, passed = "0"] = /^# pass (\d+)$/m.exec(said) ?? [];
    assert.ok(Number(passed) >= atLeast, said);
  });

function output(words: readonly string[], env: NodeJS.ProcessEnv): Promise<{ said: string; code: number | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { cwd: ROOT, env });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (said += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ said, code }));
  });
}
