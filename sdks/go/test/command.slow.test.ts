/** The binary of cmd/svc as a separate process: no socket, little memory, one processor, readers that go away. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { go, goTest } from "./toolchain.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "svc-go-"));
const SVC = join(FOLDER, "svc");
const PIN = ["--public-key-hex", SERVICE.publicKeyHex];

after(() => rmSync(FOLDER, { recursive: true }));

const evidence = await issueStream(10);
const bundle = await bundleOf(evidence);
writeFileSync(join(FOLDER, "march.bundle.json"), JSON.stringify(bundle));
writeFileSync(join(FOLDER, "loan.receipt.json"), JSON.stringify(evidence.records[4]));

/** Every offline call, with its exit code. */
const CALLS: readonly (readonly [code: number, words: readonly string[]])[] = [
  [0, ["verify", "march.bundle.json", ...PIN]],
  [0, ["verify", ".", ...PIN]],
  [0, ["verify", "march.bundle.json", "--cross-check", ...PIN]],
  [0, ["verify", "loan.receipt.json", "--kernel", "wasm", ...PIN]],
  [0, ["receipts", "verify", "loan.receipt.json", ...PIN]],
  [0, ["bundles", "offline-verify", "march.bundle.json", "--json", ...PIN]],
  [0, ["explain", "range_incomplete"]],
  [0, ["--help"]],
  [0, ["--version"]],
  [2, ["verify", "march.bundle.json"]],
  [64, ["watch", "https://evidence.example"]],
  [66, ["verify", "missing.json"]],
];

function run(words: readonly string[], env: Readonly<Record<string, string>> = {}, before: readonly string[] = []) {
  const [program = SVC, ...args] = [...before, SVC, ...words];
  return spawnSync(program, args, { cwd: FOLDER, env: { PATH: process.env.PATH ?? "", ...env }, encoding: "utf8" });
}

goTest("the binary is built without cgo", () => {
  go("cmd/svc", ["build", "-trimpath", "-o", SVC, "."], { CGO_ENABLED: "0" });
  assert.ok(existsSync(SVC));
});

goTest("one processor and little memory change nothing but the time", () => {
  for (const [code, words] of CALLS) {
    const plain = run(words);
    assert.equal(plain.status, code, `${words.join(" ")}\n${plain.stderr}`);
    const small = run(words, { GOMAXPROCS: "1", GOMEMLIMIT: "200MiB" });
    const steady = (text: string) => text.replace(/in (under )?\d+\.\d s/, "");
    assert.deepEqual([small.status, steady(small.stdout), small.stderr], [code, steady(plain.stdout), plain.stderr]);
  }
});

goTest("a command that the binary lacks says where it is", () => {
  for (const words of [
    ["watch", "https://evidence.example"],
    ["bundles", "continuity", "a", "b"],
    ["verify", "page", "x"],
  ]) {
    const { status, stdout, stderr } = run(words);
    assert.deepEqual([status, stdout], [64, ""], words.join(" "));
    assert.match(stderr.replace(/\n {5}/g, " "), /has no command .*; the npm svc has it\. .*@svc\/cli/);
  }
});

goTest("a file that is larger than memory may be is refused before it is read", () => {
  const path = join(FOLDER, "large.json");
  // Nothing of it is on the disk.
  assert.equal(spawnSync("truncate", ["-s", `${2 ** 30 + 1}`, path]).status, 0);
  const { status, stderr } = run(["verify", "large.json"], { GOMEMLIMIT: "200MiB" });
  rmSync(path);
  assert.equal(status, 66);
  assert.match(stderr.replace(/\n {5}/g, " "), /larger than 1073741824 bytes/);
});

goTest("the binary verifies alone in an empty root", () => {
  const root = join(FOLDER, "root");
  mkdirSync(root);
  for (const name of ["svc", "march.bundle.json"]) copyFileSync(join(FOLDER, name), join(root, name));
  const words = [root, "/svc", "verify", "/march.bundle.json", ...PIN];
  const { status, stdout, stderr } = spawnSync("chroot", words, { encoding: "utf8" });
  rmSync(root, { recursive: true });
  // Only root may change its root.
  if (process.getuid?.() !== 0) return;
  assert.deepEqual([status, stderr], [0, ""]);
  assert.match(stdout, /^VERIFIED/);
});

const hasStrace = spawnSync("strace", ["-V"]).status === 0;
if (!hasStrace && process.env.CI) test("strace is there", () => assert.fail("no strace: apt-get install strace"));
else if (!hasStrace) test("no offline command opens a socket", { skip: "no strace" }, () => undefined);
else
  goTest("no offline command opens a socket", () => {
    for (const [code, words] of CALLS) {
      const log = join(FOLDER, "strace.log");
      const { status, stderr } = run(words, {}, ["strace", "-f", "-e", "trace=network", "-o", log]);
      assert.equal(status, code, stderr);
      const calls = readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => /^\d+ +[a-z0-9_]+\(/.test(line));
      assert.deepEqual(calls, [], words.join(" "));
    }
  });
