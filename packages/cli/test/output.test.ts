/** Colour, readers that go away, outputs that fail, errors of `svc` itself, help, and the runtimes it must work on. */
import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import process from "node:process";
import { test } from "node:test";
import { VERSION } from "@svc/core";
import { wantsColor } from "../src/render/color.ts";
import { COMMAND, PIN, put, runProcess, SVC, steady, svc } from "./svc.ts";

const GOOD = ["bundles", "offline-verify", "--file", "march.bundle.json", ...PIN];
const UNPINNED = ["bundles", "offline-verify", "--file", "march.bundle.json"];

test("colour only underlines: without it every character is the same", async () => {
  for (const args of [GOOD, UNPINNED, ["receipts", "verify", "--file", "march.bundle.json"]]) {
    const plain = await svc([...args, "--color", "never"]);
    const colored = await svc([...args, "--color", "always"], { env: { NO_COLOR: "1" } });
    const piped = await svc(args, { env: { FORCE_COLOR: "1" } });
    assert.ok(!plain.stdout.includes("\u001b"));
    assert.ok(colored.stdout.includes("\u001b["));
    assert.equal(steady(colored.stdout.replace(/\u001b\[[\d;]+m/g, "")), steady(plain.stdout));
    assert.equal(steady(piped.stdout), steady(plain.stdout));
  }
});

test("auto colours a terminal, unless the environment says no", () => {
  assert.equal(wantsColor("auto", true, {}), true);
  assert.equal(wantsColor("auto", true, { NO_COLOR: "" }), true);
  assert.equal(wantsColor("auto", true, { NO_COLOR: "1" }), false);
  assert.equal(wantsColor("auto", true, { TERM: "dumb" }), false);
  assert.equal(wantsColor("auto", false, {}), false);
  assert.equal(wantsColor("never", true, {}), false);
  assert.equal(wantsColor("always", false, { NO_COLOR: "1" }), true);
});

test("a reader that goes away changes neither the exit code nor stderr", async () => {
  for (const [args, code] of [
    [GOOD, 0],
    [UNPINNED, 2],
    [[...UNPINNED, "--json"], 2],
  ] as const) {
    assert.deepEqual(await svc(args, { closesStdout: true }), { stdout: "", stderr: "", code });
  }
});

test("a report that cannot be written is a failure, even of a good verdict", {
  skip: !existsSync("/dev/full"),
}, async () => {
  const command = `exec ${COMMAND} ${GOOD.join(" ")} > /dev/full`;
  const outcome = await runProcess("/bin/sh", ["-c", command]);
  assert.equal(
    outcome.stderr,
    "svc: The output could not be written: ENOSPC.\n     Make room where it goes, or send it elsewhere.\n",
  );
  assert.equal(outcome.code, 70);
});

test("an error of svc itself is 70, one line, no stack, no verdict", async () => {
  const preload = put("broken.mjs", 'performance.now = () => { throw new Error("no clock\\u001b[2J"); };');
  const outcome = await runProcess(process.execPath, ["--import", `./${preload}`, SVC, ...GOOD]);
  assert.equal(outcome.stdout, "");
  assert.equal(
    outcome.stderr,
    "svc: Internal error: no clock\\u{1b}[2J\n     There is no verdict. Please report this, with the file if you " +
      "may share it.\n",
  );
  assert.equal(outcome.code, 70);
});

test("version and help are answers, on stdout", async () => {
  assert.deepEqual(await svc(["--version"]), { stdout: `svc ${VERSION}\n`, stderr: "", code: 0 });
  for (const args of [
    [],
    ["bundles"],
    ["receipts"],
    ["bundles", "offline-verify"],
    ["receipts", "verify"],
    ["conformance"],
  ]) {
    const { stdout, stderr, code } = await svc([...args, "--help"]);
    assert.match(stdout, new RegExp(`^Usage: ${["svc", ...args].join(" ")} `));
    assert.ok(stdout.split("\n").every((line) => line.length <= 80));
    assert.equal(stderr, "");
    assert.equal(code, 0);
  }
});

test("the file runs by itself on the machine's own Node", async (t) => {
  const { stdout: version } = await runProcess("/usr/bin/env", ["node", "--version"]);
  t.diagnostic(`the machine's own Node is ${version.trim()}, that of the tests is ${process.version}`);
  assert.equal(statSync(SVC).mode & 0o111, 0o111);
  const here = await svc(GOOD);
  const alone = await runProcess(SVC, GOOD);
  assert.equal(alone.stderr, "");
  assert.equal(steady(alone.stdout), steady(here.stdout));
  assert.equal(alone.code, 0);
});
