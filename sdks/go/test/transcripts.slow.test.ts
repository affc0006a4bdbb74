/**
 * The tests of the npm command, unchanged, against the binary of cmd/svc: the same words and exit codes for verifying,
 * trust and bad input. The sentence under a code of a rejected file and its last line are the binary's own. A test
 * that does not apply stands in a list with its reason.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { go, goTest } from "./toolchain.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Commands of the npm `svc` that the binary does not have. */
const LACKED = "the binary lacks the command, and says where it is";
/** Only a program on Node has these: a preloaded module, a worker, a build with a faulty kernel, `svc.mjs` itself. */
const OF_NODE = "the test reaches into Node or the build of svc.mjs";

/** The files of packages/cli/test, and the tests in them that do not apply, as patterns of their names. */
const FILES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "transcripts.slow": {},
  "bad-input": {},
  "verify-options.slow": {},
  "verify-many.slow": { [OF_NODE]: ["a thread that ends or fails"] },
  "verify-package": {},
  "verify-large.slow": {
    [OF_NODE]: ["however many threads there are"],
    [LACKED]: ["a bundle of envelopes of 256 MiB"],
  },
  "not-evidence.slow": { [LACKED]: ["every command that reads evidence"] },
  "next-step": {},
  folders: {},
  json: {},
  "hostile-names.slow": {},
  "hostile-output.slow": { [OF_NODE]: ["kernels that read a payload or a link otherwise"] },
  output: { [OF_NODE]: ["an error of svc itself is 70", "the file runs by itself"] },
  explain: { [OF_NODE]: ["a reader that goes away changes nothing"] },
  "report-file.slow": { [OF_NODE]: ["it says so where svc itself fails"] },
  "cross-check.slow": {
    [OF_NODE]: ["disagreement: exit 1", "a trust file that the kernels read", "--kernel says", "without WebAssembly"],
  },
  "the-file": {
    [LACKED]: [
      "svc (verify page|bundles note|bundles tlog-proof|report|bundles verify|windows verify)",
      "svc report without --html",
    ],
  },
};

const FOLDER = mkdtempSync(join(tmpdir(), "svc-go-"));
const SVC = join(FOLDER, "svc");
after(() => rmSync(FOLDER, { recursive: true }));

goTest("the binary is built", () => {
  go("cmd/svc", ["build", "-trimpath", "-o", SVC, "."], { CGO_ENABLED: "0" });
});

for (const [file, skipped] of Object.entries(FILES)) {
  goTest(`${file}.test.ts of the npm command passes with the binary`, () => {
    const patterns = Object.values(skipped).flatMap((names) => names.map((name) => `--test-skip-pattern=/${name}/`));
    const words = ["--import", "./tools/pinned-node.mjs", "--test", ...patterns, `packages/cli/test/${file}.test.ts`];
    // The runner of this file must not be taken for that of the other one.
    const { NODE_TEST_CONTEXT: _, ...outer } = process.env;
    const env = { ...outer, SVC_PROGRAM: SVC };
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: ROOT, env, encoding: "utf8" });
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /pass [1-9]/);
  });
}
