/**
 * Compares whole transcripts of calls on every Node that `svc` supports, byte for byte, with the files of a folder
 * beside this one: the call, stdout, stderr line by line behind `2> `, the exit code. UPDATE_TRANSCRIPTS=1 writes them
 * anew; read the difference before you commit it.
 */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { escapeText } from "@svc/report";
import { FOLDER, type Outcome, type RunOptions, runProcess, SVC, steady } from "./svc.ts";

const isUpdate = process.env.UPDATE_TRANSCRIPTS === "1";

const releaseOf = (major: number) =>
  fileURLToPath(
    new URL(
      `../../../tools/test-tools/node_modules/node${major}-${process.platform}-${process.arch}/bin/node`,
      import.meta.url,
    ),
  );

/** The releases of Node that `svc` supports: the pinned one, and those before it, each in the build of its package. */
export const RUNTIMES: readonly { readonly major: number; readonly node: string }[] = [
  { major: 20, node: releaseOf(20) },
  { major: 22, node: releaseOf(22) },
  { major: 24, node: process.execPath },
];

/**
 * A call: its name, the exit code, the arguments, and its differences to an ordinary call. The file of `--out` is
 * removed before it.
 */
export type Case = readonly [name: string, code: number, args: readonly string[], options?: RunOptions];

/** Makes a test for each call, and one that the folder holds no other transcript. */
export function testTranscripts(folderName: string, cases: readonly Case[]): void {
  const folder = fileURLToPath(new URL(folderName, import.meta.url));
  test("each runtime is of the release that it is taken for", async () => {
    for (const { major, node } of RUNTIMES) {
      const { stdout } = await runProcess(node, ["--version"]);
      assert.match(stdout, new RegExp(`^v${major}\\.`));
    }
  });
  for (const [name, code, args, options = {}] of cases) {
    test(`transcript ${name}`, async () => {
      const path = join(folder, `${name}.txt`);
      for (const { major, node } of RUNTIMES) {
        const out = args.indexOf("--out") + 1;
        if (out > 0) rmSync(join(FOLDER, args[out] ?? ""), { force: true });
        const outcome = await runProcess(node, [options.program ?? SVC, ...args], options);
        assert.equal(outcome.code, code, outcome.stderr);
        const transcript = transcriptOf(args, outcome);
        if (isUpdate && major === RUNTIMES[0]?.major) {
          mkdirSync(folder, { recursive: true });
          writeFileSync(path, transcript);
        }
        assert.equal(transcript, readFileSync(path, "utf8"), `Node ${major}`);
      }
    });
  }
  test(`there is no transcript in ${folderName} without a case`, () => {
    assert.deepEqual(readdirSync(folder).sort(), cases.map(([name]) => `${name}.txt`).sort());
  });
}

function transcriptOf(args: readonly string[], { stdout, stderr, code }: Outcome): string {
  const lines = [...stdout.split("\n"), ...stderr.split("\n")];
  const isWide = (line: string) => [...line].length > 80 && !line.startsWith("    svc ") && !line.startsWith("{");
  assert.deepEqual(lines.filter(isWide), [], "80 columns are enough, but for a command to copy and for JSON");
  const errors = stderr === "" ? "" : stderr.replace(/^(?=.)/gm, "2> ");
  return `$ svc ${args.map(escapeText).join(" ")}\n${steady(stdout)}${errors}[exit ${code}]\n`;
}
