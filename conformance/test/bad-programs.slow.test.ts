/**
 * Programs with one fault each: it is named, in the one case that shows it, and the result is complete. Two of them,
 * and what a program says of itself, are in programs.test.ts.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, test } from "node:test";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { CASES, COUNT, faultTest } from "./fault-test.ts";
import { oneFault, result } from "./runner.ts";

/** By the name of the fault, what the result says was given. */
const FAULTS: Readonly<Record<string, RegExp>> = {
  "exit-0": /^ended with exit code 0$/,
  "exit-behind": /^ended with exit code 0, right behind its answer$/,
  flood: /^wrote more than 64 MiB without the end of a line$/,
  "long-line": /^wrote a line of 20971522 bytes, where \d+ are more than the right answer can need$/,
  late: /^answered a later request first: answers come in order; asked again alone, it answered$/,
  "half-line": /^ended with exit code 0, behind half a line: ".*"$/,
  "two-halves": /^wrote a line that is not JSON: /,
  "other-id": /^wrote an answer with an id that no request has: 777777$/,
  "no-id": /^wrote an answer without an id$/,
  "not-utf-8": /^wrote a line that is not UTF-8: /,
  "not-json": /^wrote a line that is not JSON: "\\u001b\[31myes"$/,
  "no-object": /^wrote a line that is no JSON object: "\[\]"$/,
  deep: /^wrote an answer that nests too deeply to be read$/,
  stderr: /^wrote more than 64 MiB to standard error without an answer$/,
  "wrong-answer": /^"\\u001b\[31m\\u\{202e\}<b>"$/,
};

describe("one fault, one failure", { concurrency: 2 }, () => {
  for (const [fault, expected] of Object.entries(FAULTS)) faultTest(fault, expected);
});

test("a process that left the program's group holds its output open, and nobody waits", {
  timeout: 90_000,
}, async (t) => {
  const pids = join(temporaryFolder(), "pids");
  t.after(() => {
    for (const pid of readFileSync(`${pids}.left`, "utf8").trim().split("\n")) process.kill(Number(pid));
  });
  const { result: found } = await result(["--command", oneFault("leave", pids), "--cases", CASES]);
  assert.deepEqual(
    found.failures.map(({ name, differences }) => [name, differences[0]?.given]),
    [["1/digest/bad", "ended with exit code 0"]],
  );
  assert.equal(found.levels[1]?.passed, COUNT - 1);
});

test("all cases, in any number of processes: the same JSON but for its times", async () => {
  for (const fault of ["crash", "twice", "not-json", "exit-behind"]) {
    const runs = [];
    for (const jobs of ["1", "3"]) {
      const words = ["--command", oneFault(fault), "--cases", CASES, "--jobs", jobs];
      const { result: found } = await result(words);
      runs.push({ ...found, started_at: "", seconds: 0 });
    }
    assert.deepEqual(runs[0], runs[1]);
  }
});

test("an operation that the program does not have is unsupported, unless its `hello` names it", async () => {
  const words = ["--command", oneFault("unsupported"), "--cases", CASES];
  const { code, result: named } = await result(words);
  assert.equal(code, 1);
  assert.match(named.failures[0]?.differences[0]?.wanted ?? "", /`hello` names the operation/);
});

test("a program that fails at its end fails the handshake, and no case", async () => {
  const { code, result: found } = await result(["--command", oneFault("bad-end"), "--cases", CASES]);
  assert.equal(code, 1);
  assert.deepEqual(
    found.failures.map(({ name, differences }) => [name, differences[0]?.given]),
    [["0/handshake/end", "the program ended with exit code 3"]],
  );
});
