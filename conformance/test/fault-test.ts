/** A set of cases with one that is called "bad", and a program's one failure in it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { casesFolder, digestCase, oneFault, result } from "./runner.ts";

export const COUNT = 100;
const TAGS = Array.from({ length: COUNT }, (_, index) => (index === 40 ? "bad" : `t${index}`));
export const CASES = casesFolder({ "all.jsonl": TAGS.map((tag) => digestCase(tag)) });

/** Adds a test: the fault shows in the one case, what the result says was given matches, and nothing is left behind. */
export function faultTest(fault: string, expected: RegExp, seconds = 60): void {
  test(fault, async () => {
    const pids = join(temporaryFolder(), "pids");
    const words = ["--command", oneFault(fault, pids), "--cases", CASES, "--seconds", `${seconds}`];
    const { code, stdout, stderr, result: found } = await result(words);
    assert.equal(code, 1, stdout + stderr);
    assert.deepEqual(
      found.failures.map(({ name, level, differences }) => [name, level, differences.length]),
      [["1/digest/bad", 1, 1]],
      stdout,
    );
    assert.match(found.failures[0]?.differences[0]?.given ?? "", expected);
    assert.deepEqual(found.levels, [
      { level: 0, passed: 1, failed: 0, unsupported: 0, cases: 1 },
      { level: 1, passed: COUNT - 1, failed: 1, unsupported: 0, cases: COUNT },
    ]);
    assert.match(stdout, /^FAILED 1\/digest\/bad$/m);
    assert.match(stdout, /^[^\p{Cc}\p{Cf}]*$/mu);
    assertGone(readFileSync(pids, "utf8"));
  });
}

/** Returns the letter of a process's state; Z if it has ended, and nothing if its parent knows that. */
function stateOf(pid: string): string {
  return spawnSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" }).stdout.trim().slice(0, 1);
}

/** Fails if a process still runs, of those whose ids a program wrote down. */
function assertGone(pids: string): void {
  for (const pid of pids.split(/\s+/).filter((text) => text !== ""))
    assert.match(stateOf(pid), /^Z?$/, `process ${pid} still runs`);
}
