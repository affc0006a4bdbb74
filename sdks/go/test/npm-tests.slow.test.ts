/**
 * The tests of the npm command, unchanged, against the binary of cmd/svc: the same words and exit codes for verifying,
 * trust, cutting, finding and bad input. The sentence under a code of a rejected file and its last line are the
 * binary's own. A test that does not apply is in a list with its reason.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { GO_SVC } from "./command.ts";
import { goTest } from "./toolchain.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Commands of the npm `svc` that the binary does not have. */
const LACKED = "the binary lacks the command, and says where it is";
/** Only a program on Node has these: a preloaded module, a worker, a build with a faulty kernel, `svc.mjs` itself. */
const OF_NODE = "the test reaches into Node or the build of svc.mjs";

/**
 * The files of packages/cli/test, of whichever tier, and the tests in them that do not apply, as patterns of their
 * names.
 */
const FILES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  transcripts: {},
  "bad-input": {},
  "verify-options": {},
  "verify-many": { [OF_NODE]: ["a thread that ends or fails"] },
  together: {},
  "verify-package": {},
  "verify-large": {
    [OF_NODE]: ["however many threads there are"],
    [LACKED]: ["a bundle of envelopes of 256 MiB"],
  },
  "not-evidence": { [LACKED]: ["every command that reads evidence"] },
  "next-step": {},
  folders: {},
  json: {},
  "hostile-names": {},
  "hostile-output": { [OF_NODE]: ["kernels that read a payload or a link otherwise"] },
  output: { [OF_NODE]: ["an error of svc itself is 70", "the file runs by itself"] },
  explain: { [OF_NODE]: ["a reader that goes away changes nothing"] },
  "report-file": { [OF_NODE]: ["it says so where svc itself fails"] },
  "cross-check": {
    [OF_NODE]: ["disagreement: exit 1", "a trust file that the kernels read", "--kernel says", "without WebAssembly"],
  },
  "the-file": {
    [LACKED]: [
      "svc (verify page|bundles note|bundles tlog-proof|report|bundles verify|windows verify)",
      "svc report without --html",
    ],
  },
  trust: {},
  "trust-writers": {},
  cutting: { [LACKED]: ["^(note|tlog-proof)", "--force leaves a device", "left: (note|tlog-proof|continuity):"] },
  "forks-find": {},
  "looking-and-cutting": { [LACKED]: ["transcript continuity"] },
  // One of them completes the name of a command that only the npm `svc` has.
  completion: { [LACKED]: ["completes what is begun"] },
};

for (const [file, skipped] of Object.entries(FILES))
  goTest(`${file}.test.ts of the npm command passes with the binary`, async () => {
    const patterns = Object.values(skipped).flatMap((names) => names.map((name) => `--test-skip-pattern=/${name}/`));
    const words = ["--import", "./tools/pinned-node.mjs", "--test", "--test-reporter=tap", ...patterns];
    // The variable by which a runner knows its own processes would silence this one.
    const { NODE_TEST_CONTEXT: _, ...outer } = process.env;
    const env = { ...outer, SVC_PROGRAM: GO_SVC, SVC_TEST_PART: "slow" };
    const paths = [".slow", ""].map((tier) => `packages/cli/test/${file}${tier}.test.ts`);
    const { said, code } = await output([...words, paths.find((path) => existsSync(join(ROOT, path))) ?? file], env);
    assert.equal(code, 0, said);
    assert.match(said, /^# pass [1-9]/m);
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
