/** The command line that programs share: the exit code of each outcome, and one line for an error. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { rootCommand, runProgram } from "@svc/host/command-line";
import { ServiceError } from "@svc/host/errors";
import { UsageError } from "@svc/host/settings";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { Command } from "commander";

/** Runs a program whose command `go` does this work, and resolves to its exit code and its lines of errors. */
async function outcome(t: TestContext, work: () => unknown, words = ["go"]): Promise<[number, string[]]> {
  const lines: string[] = [];
  const printed = t.mock.method(console, "error", (line: string) => lines.push(line));
  const go = new Command("go").action(async () => {
    await work();
  });
  const silent = () => undefined;
  const program = rootCommand("svc-test", "a program", []).configureOutput({ writeErr: silent, writeOut: silent });
  program.addCommand(go.copyInheritedSettings(program));
  const code = await runProgram(program, words);
  printed.mock.restore();
  return [code, lines];
}

const failing = (error: unknown) => () => {
  throw error;
};

test("what is done ends with 0, also behind the -- of a package manager", async (t) => {
  assert.deepEqual(await outcome(t, () => undefined), [0, []]);
  assert.deepEqual(await outcome(t, () => undefined, ["--", "go"]), [0, []]);
  assert.deepEqual(await outcome(t, () => undefined, ["--version"]), [0, []]);
  assert.deepEqual(await outcome(t, () => undefined, ["go", "--help"]), [0, []]);
});

test("wrong usage ends with 64, a refusal or a failure with 1, each with one line", async (t) => {
  assert.deepEqual(await outcome(t, () => undefined, ["come"]), [64, []], "commander has said it");
  assert.deepEqual(await outcome(t, failing(new UsageError(["no"]))), [64, ["svc-test: no"]]);
  assert.deepEqual(await outcome(t, failing(new Error("no"))), [1, ["svc-test: no"]]);
  const refusal = new ServiceError("rate_limited", "Too much.");
  assert.deepEqual(await outcome(t, failing(refusal)), [1, ["svc-test: rate_limited: Too much."]]);
});

test("a failure of the machine comes with what to do", async (t) => {
  const folder = temporaryFolder();
  const [code, [line = ""]] = await outcome(t, () => mkdirSync(folder));
  assert.equal(code, 1);
  assert.match(line, /^svc-test: EEXIST: .*\. Something has this name already: choose another\.$/);
  const [, [missing = ""]] = await outcome(t, () => mkdirSync(join(folder, "none/below")));
  assert.match(missing, /ENOENT: .*\. Check the path\.$/);
  const wrapped = new Error("the database cannot be reached", { cause: { errcode: 14 } });
  assert.match((await outcome(t, failing(wrapped)))[1][0] ?? "", /reached\. See that the database's folder is there/);
});
