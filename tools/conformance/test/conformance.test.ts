/** The conformance runner against real programs: our own, and some with one fault each. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const FOLDER = mkdtempSync(join(tmpdir(), "svc-conformance-"));
after(() => rmSync(FOLDER, { recursive: true }));

// Five cases are enough for faulty programs.
const FEW = join(FOLDER, "fixtures");
for (const part of ["cases/witness", "reports/witness"])
  cpSync(join(ROOT, "fixtures", part), join(FEW, part), { recursive: true });

const OURS = `"${process.execPath}" packages/cli/src/main.ts conformance`;

function run(...args: string[]) {
  const program = [process.execPath, "tools/conformance/main.ts", ...args] as const;
  const { status, stdout, stderr } = spawnSync(program[0], program.slice(1), { cwd: ROOT, encoding: "utf8" });
  return { status, stdout, stderr, lastLine: stdout.trimEnd().split("\n").at(-1) };
}

/**
 * Returns a program that answers a request, `r`, by a JavaScript expression; written into a file, because shells quote
 * badly.
 */
function program(name: string, code: string): string {
  const file = join(FOLDER, `${name}.mjs`);
  writeFileSync(file, `import { createInterface } from "node:readline";\n${code}`);
  return `"${process.execPath}" "${file}"`;
}

const answering = (answer: string) =>
  `for await (const line of createInterface({ input: process.stdin })) { const r = JSON.parse(line); console.log(${answer}); }`;

test("our own verifier agrees with every fixture", () => {
  const { status, stdout, lastLine } = run("--command", OURS);
  assert.equal(lastLine?.replace(/^\d+/, "n"), "n cases, 0 differ", stdout);
  assert.ok(Number.parseInt(lastLine, 10) > 250);
  assert.equal(status, 0);
});

test("a verifier that calls everything verified is found out, case by case", () => {
  const report = '{ok: true, verdict: "verified", kind: r.kind, subject: {}, assurance: {}, checks: [], problems: []}';
  const command = program("liar", answering(`JSON.stringify({id: r.id, ok: true, report: ${report}})`));
  const { status, stdout } = run("--command", command, "--fixtures", FEW);
  assert.equal(status, 1);
  assert.match(stdout, /^.*witness\/bare\.json\n(.*\n)*? {2}verdict: "verified"\n {2} +not: "untrusted"$/m);
  assert.match(stdout, /^(\d+) cases, \1 differ$/m);
});

for (const [what, code, expected] of [
  ["answers nothing", "", /^ {2}no answer$/m],
  ["answers something else than JSON", answering('"yes"'), /^ {2}not JSON: "yes"$/m],
  ["mixes up its answers", answering("JSON.stringify({id: r.id + 1})"), /^ {2}not the answer to request 0$/m],
  [
    "does not know the operation",
    answering('JSON.stringify({id: r.id, ok: false, code: "unsupported_op"})'),
    /^ {2}no report, and the code "unsupported_op"$/m,
  ],
  [
    "answers more than it was asked",
    `${answering("JSON.stringify({id: r.id})")} console.log("{}");`,
    /^1 lines more than were asked for$/m,
  ],
  ["fails at its end", `${answering("JSON.stringify({id: r.id})")} process.exitCode = 3;`, /ended with exit code 3$/m],
  ["goes silent", "setInterval(() => {}, 1000);", /^no answer for 2 seconds, after 0; the program was ended$/m],
] as const) {
  test(`a program that ${what}`, () => {
    const { status, stdout } = run("--command", program("wrong", code), "--fixtures", FEW, "--seconds", "2");
    assert.equal(status, 1, stdout);
    assert.match(stdout, expected);
  });
}

test("a wrong call, no fixtures and a program that does not exist", () => {
  const empty = join(FOLDER, "empty");
  mkdirSync(join(empty, "cases"), { recursive: true });
  for (const args of [
    [],
    ["--command", ""],
    ["--other"],
    ["--command", OURS, "--fixtures", empty],
    ["--command", OURS, "--seconds", "0"],
  ]) {
    const { status, stdout, stderr } = run(...args);
    assert.equal(status, 64, stderr);
    assert.equal(stdout, "");
    assert.notEqual(stderr, "");
  }
  assert.equal(run("--command", "no-such-program-here", "--fixtures", FEW).status, 1);
});
