/** Programs as they come: one that crashes, one that answers twice, one of another protocol, one without `hello`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CASES, COUNT, faultTest } from "./fault-test.ts";
import { oneFault, result } from "./runner.ts";

faultTest("crash", /^ended with SIGSEGV$/);
faultTest("twice", /^answered twice$/);

test("another protocol is said first, and all cases are asked even so", async () => {
  const words = ["--command", oneFault("old-protocol"), "--cases", CASES];
  const { code, stdout, result: found } = await result(words);
  assert.equal(code, 1);
  assert.match(stdout, /^adder 1, protocol SVC-PROOFSTREAM-000\nFAILED level 0, handshake\n {2}\/protocol\n/);
  assert.deepEqual(
    found.failures.map(({ name, level }) => [name, level]),
    [["0/handshake/hello", 0]],
  );
  assert.equal(found.levels[1]?.passed, COUNT);
});

test("a program without `hello` is run all the same", async () => {
  const { code, stdout, result: found } = await result(["--command", oneFault("no-hello"), "--cases", CASES]);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^The program states no version/);
  assert.match(stdout, /^PASSED IN PART: \d+ passed, 0 failed, 1 unsupported$/m, "what it lacks is no success");
  assert.equal(found.implementation, null);
  assert.deepEqual(found.unsupported, ["0/handshake/hello"]);
});
