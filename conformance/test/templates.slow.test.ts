/**
 * The templates, and the README's own steps taken literally: its blocks of code, put where it says, bring `template.py`
 * to level 1.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { without } from "@svc/testkit/runtimes";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { caseFiles } from "../case-set/case-set.ts";
import { allCases } from "./cases.ts";
import { casesFolder, result } from "./runner.ts";

const KIT = new URL("..", import.meta.url);
const LEVEL_1 = allCases(caseFiles()).filter(({ level }) => level === 1);
const CASES = casesFolder({ "level-1.jsonl": LEVEL_1 });
/** The cases of the one operation that a template has: roots of single leaves. */
const HELPED = LEVEL_1.filter(
  ({ request: { op, leaves }, answer }) =>
    op === "merkle.root" && answer.ok && Array.isArray(leaves) && leaves.length === 1,
);
assert.ok(HELPED.length > 1, `${HELPED.length}`);

test("template.py answers hello and its example, and states what it lacks", { skip: without("python3") }, async () => {
  const folder = temporaryFolder();
  copyFileSync(new URL("templates/template.py", KIT), join(folder, "template.py"));
  const { code, result: found } = await result(["--command", `python3 ${folder}/template.py`, "--cases", CASES]);
  assert.equal(code, 0);
  assert.equal(found.implementation?.implementation, "template.py");
  assert.ok(found.unsupported.length > 100);
  assert.ok((found.levels[1]?.passed ?? 0) >= HELPED.length);
});

test("the README's steps bring template.py to level 1", { skip: without("python3") }, async () => {
  const folder = temporaryFolder();
  const template = join(folder, "template.py");
  copyFileSync(new URL("templates/template.py", KIT), template);
  const readme = readFileSync(new URL("README.md", KIT), "utf8");
  const blocks = [...readme.matchAll(/^ {3}```python (save|put)=(\S+)\n([\s\S]*?)^ {3}```$/gm)];
  assert.deepEqual(
    blocks.map(([, how, file]) => `${how} ${file}`),
    ["save strict_json.py", "save trees.py", "put template.py"],
  );
  for (const [, how, file = "", indented = ""] of blocks) {
    const code = indented.replaceAll(/^ {3}/gm, "");
    const path = join(folder, file);
    const between = /^# Operations: from here\n[\s\S]*^# Operations: to here\n/m;
    if (how === "save") writeFileSync(path, code);
    else {
      const before = readFileSync(path, "utf8");
      assert.match(before, between);
      writeFileSync(
        path,
        before.replace(between, () => code),
      );
    }
  }
  const words = ["--command", "python3 template.py", "--cases", CASES, "--level", "1"];
  const { code, stdout, result: found } = await result(words.with(1, `cd ${folder} && ${words[1]}`));
  assert.deepEqual(found.failures, [], stdout);
  assert.deepEqual(found.unsupported, []);
  assert.equal(code, 0);
  assert.equal(found.levels[1]?.passed, LEVEL_1.length);
  assert.ok(LEVEL_1.length >= 800);
});

test("template.go compiles, and answers hello and its example", { skip: without("go") }, async () => {
  const folder = temporaryFolder();
  const program = join(folder, "template");
  const source = fileURLToPath(new URL("templates/template.go", KIT));
  const env = { ...process.env, GOFLAGS: "-buildvcs=false", GOTOOLCHAIN: "local", GO111MODULE: "off" };
  execFileSync("go", ["build", "-o", program, source], { cwd: folder, env });
  assert.equal(execFileSync("gofmt", ["-l", source], { encoding: "utf8" }), "");
  const helped = casesFolder({ "helped.jsonl": HELPED });
  const { code, stdout, result: found } = await result(["--command", program, "--cases", helped]);
  assert.equal(code, 0, stdout);
  assert.deepEqual(found.levels, [
    { level: 0, passed: 1, failed: 0, unsupported: 0, cases: 1 },
    { level: 1, passed: HELPED.length, failed: 0, unsupported: 0, cases: HELPED.length },
  ]);
  const all = await result(["--command", program, "--cases", CASES]);
  assert.ok(all.result.unsupported.length > 100);
});
