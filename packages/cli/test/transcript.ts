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
import { commandOf, FOLDER, OTHER, type Outcome, type RunOptions, runProcess, steady } from "./svc.ts";

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

/** Another program needs no Node. */
const RUNS = OTHER === undefined ? RUNTIMES : [{ major: 0, node: "" }];
/** Where a build with a fault of ours is what a case runs, another program has none. */
const NO_FAULT = "only our own build can be made with a fault";

/**
 * A call: its name, the exit code, the arguments, and its differences to an ordinary call. The file of `--out` is
 * removed before it.
 */
export type Case = readonly [name: string, code: number, args: readonly string[], options?: RunOptions];

/** Makes a test for each call, and one that the folder holds no other transcript. */
export function testTranscripts(folderName: string, cases: readonly Case[]): void {
  const folder = fileURLToPath(new URL(folderName, import.meta.url));
  test("each runtime is of the release that it is taken for", { skip: OTHER !== undefined }, async () => {
    for (const { major, node } of RUNTIMES) {
      const { stdout } = await runProcess(node, ["--version"]);
      assert.match(stdout, new RegExp(`^v${major}\\.`));
    }
  });
  for (const [name, code, args, options = {}] of cases) {
    const skip = OTHER !== undefined && options.program !== undefined ? NO_FAULT : false;
    test(`transcript ${name}`, { skip }, async () => {
      const path = join(folder, `${name}.txt`);
      for (const { major, node } of RUNS) {
        const out = args.indexOf("--out") + 1;
        if (out > 0) rmSync(join(FOLDER, args[out] ?? ""), { force: true });
        const [file = "", ...words] = commandOf(node, options);
        const outcome = await runProcess(file, [...words, ...args], options);
        assert.equal(outcome.code, code, outcome.stderr);
        const transcript = transcriptOf(args, outcome);
        if (OTHER !== undefined) {
          assert.equal(comparable(transcript), comparable(readFileSync(path, "utf8")));
          continue;
        }
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

/**
 * Returns what must be the same from another program. The sentences and values under a code of a
 * rejected file, and its last line, are each program's own.
 */
function comparable(transcript: string): string {
  if (!transcript.includes("\nREJECTED")) return transcript;
  const lines = transcript
    .replace(/\n {4}expected[\s\S]*?(?=\n {4}What to do:|\n\n)/g, "")
    // A place has a separate line, and a number, where the sentence under it needs them.
    .replace(/^( {2}[✗◐] \S+)\n {4}at (.*)$/gm, "$1   $2")
    .replace(/^( {2}[✗◐] .*?) \((?:event|window|checkpoint) [\d,]+\)$/gm, "$1")
    // Problems of one check have no order.
    .replace(/^( {2}✗ unknown_member) .*$/gm, "$1")
    .split("\n");
  const own = (line: string, index: number) =>
    /^ {4}\S/.test(line) && isUnderCode(lines, index) && !line.startsWith("    What to do:");
  return lines.filter((line, index) => !own(line, index)).join("\n");
}

function isUnderCode(lines: readonly string[], index: number): boolean {
  const above = lines.slice(0, index).findLast((line) => !/^ {4}/.test(line) || line.startsWith("    What to do:"));
  return /^ {2}[✗◐] /.test(above ?? "");
}

function transcriptOf(args: readonly string[], { stdout, stderr, code }: Outcome): string {
  const lines = [...stdout.split("\n"), ...stderr.split("\n")];
  const isWide = (line: string) => [...line].length > 80 && !line.startsWith("    svc ") && !line.startsWith("{");
  assert.deepEqual(lines.filter(isWide), [], "80 columns are enough, but for a command to copy and for JSON");
  const errors = stderr === "" ? "" : stderr.replace(/^(?=.)/gm, "2> ");
  return `$ svc ${args.map(escapeText).join(" ")}\n${steady(stdout)}${errors}[exit ${code}]\n`;
}
