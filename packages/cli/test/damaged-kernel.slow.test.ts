/**
 * A copy of `svc` with any byte of its kernel changed gives no verdict: nothing takes the kernel's place. Without
 * WebAssembly the reference kernel does, and `svc` says so.
 */
import assert from "node:assert/strict";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { KERNEL_BASE64 } from "../../wasm/src/generated/kernel-base64.ts";
import { FOLDER, PIN, runProcess, SVC } from "./svc.ts";

const program = readFileSync(SVC, "utf8");
const start = program.indexOf(KERNEL_BASE64);

/** Returns `svc` with another character at a place of the inlined kernel. */
function damaged(at: number, character: string): string {
  const path = join(FOLDER, "bin", `damaged-${at}.mjs`);
  writeFileSync(path, program.slice(0, start + at) + character + program.slice(start + at + 1));
  chmodSync(path, 0o755);
  return path;
}

test("the kernel is in svc.mjs", () => {
  assert.notEqual(start, -1);
});

for (const at of [0, 3000, 100_000, KERNEL_BASE64.length - 5]) {
  for (const character of [KERNEL_BASE64[at] === "A" ? "B" : "A", "!"]) {
    test(`character ${at} of the kernel is ${character}: no verdict, and the advice to get svc again`, async () => {
      const path = damaged(at, character);
      for (const options of [[], ["--kernel", "wasm"], ["--cross-check"]]) {
        const call = [path, "receipts", "verify", "--file", "loan-1005.receipt.json", ...PIN, ...options];
        const { stdout, stderr, code } = await runProcess(process.execPath, call);
        assert.equal(code, 70, stderr);
        assert.equal(stdout, "");
        assert.match(stderr, /kernel inlined here was changed/);
        assert.match(stderr.replace(/\s+/g, " "), /This copy of svc is damaged\. Get it again/);
      }
    });
  }
}

test("without WebAssembly the reference verifies, and says that it is the one", async () => {
  const call = ["--jitless", SVC, "receipts", "verify", "--file", "loan-1005.receipt.json", ...PIN];
  const { stdout, stderr, code } = await runProcess(process.execPath, call);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /kernel reference/);
  assert.match(stderr, /^svc: This runtime has no WebAssembly, so the reference kernel computes/);
  const chosen = await runProcess(process.execPath, [...call, "--kernel", "reference"]);
  assert.deepEqual([chosen.code, chosen.stderr], [0, ""]);
});
