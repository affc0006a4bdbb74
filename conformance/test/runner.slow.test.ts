/** The runner on our own verifier: every fixture passes, on the oldest Node too, within its memory. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { built } from "@svc/testkit/built";
import { findNode, runtimeTest } from "@svc/testkit/runtimes";
import { allFixtureCases } from "../case-set/fixture-cases.ts";
import { readCases } from "../src/cases/read.ts";
import { casesFolder, result } from "./runner.ts";

const FIXTURES = allFixtureCases();
const CASES = casesFolder({ "sub/fixtures.jsonl": FIXTURES, "note.txt": "beside the cases\n" });
const OURS = `'${process.execPath}' '${join(await built("cli"), "svc.mjs")}' conformance`;

test("svc agrees with every fixture, words included", async () => {
  const { code, stdout, result: found } = await result(["--command", OURS, "--cases", CASES, "--words", "--jobs", "2"]);
  assert.deepEqual(found.failures, [], stdout);
  assert.equal(code, 0);
  assert.ok(FIXTURES.length > 700);
  assert.equal(
    found.levels.slice(1).reduce((total, { passed }) => total + passed, 0),
    FIXTURES.length,
  );
});

runtimeTest("the runner runs on Node 20", findNode(20), async (node) => {
  const { code, stdout } = await result(["--command", OURS, "--cases", CASES, "--only", "4/window/*"], node);
  assert.equal(code, 0, stdout);
});

test("the hash of a set is that of what sha256sum prints", () => {
  const line = "find * -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum";
  const printed = execFileSync("sh", ["-c", line], { cwd: CASES, encoding: "utf8" });
  assert.equal(readCases(CASES).sha256, printed.slice(0, 64));
});
