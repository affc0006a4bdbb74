/** Programs that fall silent: each costs the patience of the call, twice. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CASES, COUNT, faultTest } from "./fault-test.ts";
import { result } from "./runner.ts";

const SECONDS = 10;
/** By the name of the fault, what the result says was given. */
const FAULTS: Readonly<Record<string, RegExp>> = {
  hang: /^gave no answer for 10 seconds/,
  "out-of-order": /^answered a later request first: answers come in order|^gave no answer for 10 seconds/,
  "half-and-hang": /^gave no answer for 10 seconds, behind half a line: ".*"$/,
  "closed-input": /^closed its standard input, and did not end|^gave no answer for 10 seconds/,
};

describe("one fault, one failure", { concurrency: 2 }, () => {
  for (const [fault, expected] of Object.entries(FAULTS)) faultTest(fault, expected, SECONDS);
});

test("a program that never answers is given up, and every case is in the result", async () => {
  const words = ["--command", "cat > /dev/null", "--cases", CASES, "--seconds", "1"];
  const { code, result: found } = await result(words);
  assert.equal(code, 1);
  assert.equal(found.failures.length, COUNT + 1);
  assert.match(found.failures[0]?.differences[0]?.given ?? "", /^gave no answer for 1 seconds$/);
  assert.match(found.failures.at(-1)?.differences[0]?.given ?? "", /^not asked: /);
});
