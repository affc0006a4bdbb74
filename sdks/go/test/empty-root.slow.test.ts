/**
 * The command `svc` in Go copied alone into an empty root: no library, no file of the system, no time zone, no
 * configuration. It gets evidence on standard input. It needs root, for chroot.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { FOLDER, GO_SVC, npmSvc, put } from "./command.ts";
import { goTest, isThere } from "./toolchain.ts";

const EMPTY = join(FOLDER, "empty");
const PIN = ["--public-key-hex", SERVICE.publicKeyHex];
const evidence = Buffer.from(JSON.stringify(await bundleOf(await issueStream(10))));
mkdirSync(EMPTY);
if (isThere) copyFileSync(GO_SVC, join(EMPTY, "svc"));

/** Runs `svc` as the whole content of its root, without any variable. */
function alone(input: Uint8Array, ...args: string[]) {
  const { error, status, stdout, stderr } = spawnSync("chroot", [EMPTY, "/svc", ...args], {
    input,
    env: { PATH: process.env.PATH },
  });
  assert.equal(error, undefined);
  return { code: status, stdout: `${stdout}`, stderr: `${stderr}` };
}

const rootTest = (name: string, run: () => Promise<void>) => {
  if (process.getuid?.() === 0) goTest(name, run);
  else if (process.env.CI) test(name, () => assert.fail("chroot needs root"));
  else test(name, { skip: "chroot needs root" }, () => undefined);
};

rootTest("svc alone in an empty root verifies, looks into, redacts, extracts, finds nothing and explains", async () => {
  const good = alone(evidence, "verify", "-", ...PIN);
  assert.deepEqual([good.code, good.stderr], [0, ""]);
  assert.match(good.stdout, /^VERIFIED/);
  assert.equal(alone(evidence, "bundles", "offline-verify", "-").code, 2);
  const edited = Buffer.from(`${evidence}`.replace('"amount":', '"amount_":'));
  assert.equal(alone(edited, "verify", "-", ...PIN).code, 1);
  const crossed = alone(evidence, "verify", "-", "--cross-check", ...PIN);
  assert.deepEqual([crossed.code, crossed.stderr], [0, ""]);

  const redacted = alone(evidence, "bundles", "redact", "-", "--seq", "3,7-9");
  assert.deepEqual([redacted.code, redacted.stderr], [0, ""]);
  assert.equal(alone(Buffer.from(redacted.stdout), "verify", "-", ...PIN).code, 0);
  const portable = alone(evidence, "bundles", "extract", "-", "--seq", "5");
  assert.deepEqual([portable.code, portable.stderr], [0, ""]);
  assert.equal(alone(Buffer.from(portable.stdout), "verify", "file", "-", ...PIN).code, 0);
  // The npm svc makes the same, byte for byte.
  put("march.bundle.json", `${evidence}`);
  for (const [made, ...args] of [
    [redacted, "bundles", "redact", "march.bundle.json", "--seq", "3,7-9"],
    [portable, "bundles", "extract", "march.bundle.json", "--seq", "5"],
  ] as const)
    assert.deepEqual(made, await npmSvc(...args));

  const explained = alone(Buffer.alloc(0), "explain", "range_incomplete");
  assert.deepEqual([explained.code, explained.stderr], [0, ""]);
  assert.match(explained.stdout, /^range_incomplete, in a report\n/);
  for (const shell of ["bash", "zsh", "fish"]) assert.equal(alone(Buffer.alloc(0), "completion", shell).code, 0);
  assert.deepEqual(readdirSync(EMPTY), ["svc"]);
});

rootTest("svc alone keeps a trust file where one is named, and says so where there is no place for one", async () => {
  const homeless = alone(evidence, "trust", "add", ...PIN);
  assert.equal(homeless.code, 64);
  assert.match(homeless.stderr, /There is no place for your trust file/);
  assert.equal(alone(evidence, "trust", "add", ...PIN, "--trust", "/own/trust.json").code, 0);
  assert.equal(JSON.parse(readFileSync(join(EMPTY, "own/trust.json"), "utf8")).signers.length, 1);
  assert.equal(alone(evidence, "trust", "remember", "-", "--trust", "/own/trust.json").code, 0);
  assert.equal(alone(evidence, "verify", "-", "--trust", "/own/trust.json").code, 0);
});

goTest("no offline command opens a socket", (t) => {
  if (spawnSync("strace", ["--version"]).status !== 0) {
    assert.ok(!process.env.CI, "strace is missing");
    return t.skip("strace is missing");
  }
  put("seen.bundle.json", `${evidence}`);
  const file = ["seen.bundle.json"];
  for (const words of [
    ["verify", ...file, ...PIN],
    ["verify", ...file, "--cross-check", ...PIN],
    ["bundles", "redact", ...file, "--seq", "1"],
    ["bundles", "extract", ...file, "--seq", "1"],
    ["forks", "find", ...file, ...file, "--out", "-"],
    ["trust", "add", ...PIN, "--trust", "seen.trust.json"],
    ["trust", "remember", ...file, "--trust", "seen.trust.json"],
    ["explain", "trust"],
    ["completion", "bash"],
  ]) {
    const traced = ["-f", "-qq", "-e", "trace=%network,execve", "-o", "network.log", GO_SVC, ...words];
    const { status, stderr } = spawnSync("strace", traced, { cwd: FOLDER, env: { PATH: process.env.PATH } });
    assert.equal(status, 0, `${words}: ${stderr}`);
    const calls = readFileSync(join(FOLDER, "network.log"), "utf8").split("\n");
    assert.match(calls[0] ?? "", /execve\(/);
    assert.deepEqual(
      calls.filter((line) => /\b(socket|connect|bind|listen|accept4?|send\w*|recv\w*)\(/.test(line)),
      [],
    );
  }
});
