/**
 * The output of `svc verify` about one file and about many: whole transcripts, and the same with any timing of the
 * threads.
 */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { kidOf, referenceKernel, verify } from "@svc/core";
import { SERVICE } from "@svc/testkit/evidence/service";
import {
  buildWithFault,
  bundle,
  changed,
  evidence,
  FOLDER,
  KEY,
  type Outcome,
  PIN,
  put,
  receipt,
  steady,
  svc,
  told,
} from "./svc.ts";
import { testTranscripts } from "./transcript.ts";

for (const folder of ["mixed", "mixed/in", "good", "empty", "own"]) mkdirSync(join(FOLDER, folder));
put("mixed/a.json", receipt);
put("mixed/b.bundle.json", bundle);
put(
  "mixed/c.bundle.json",
  changed(bundle, ({ payloads }) => {
    for (const entry of Object.values(payloads) as { payload: { amount: number } }[]) entry.payload.amount++;
  }),
);
put("mixed/d.json", "{");
put("mixed/notes.txt", "not looked at");
put("mixed/in/\u001b[m.json", evidence.windows[0]);
symlinkSync("nowhere", join(FOLDER, "mixed/e.json"));
symlinkSync("../mixed", join(FOLDER, "mixed/in/circle"));
for (const [index, record] of evidence.records.entries()) put(`good/${index}.json`, record);
put("own/trust.json", { signers: [{ kid: kidOf(referenceKernel, SERVICE.publicKeyHex), public_key_hex: KEY }] });
put("own/a.json", receipt);
put("single.window.json", evidence.windows[0]);

testTranscripts("verify-many", [
  ["one-verified", 0, ["verify", "single.window.json", ...PIN]],
  ["one-untrusted", 2, ["verify", "march.bundle.json"]],
  ["one-of-no-kind", 1, ["verify", "mixed/d.json", ...PIN]],
  ["mixed", 1, ["verify", "mixed", ...PIN]],
  ["untrusted", 2, ["verify", "good/[0-2].json", "single.window.json"]],
  ["nothing-found", 66, ["verify", "good", "empty", "x*.json", "no.json", "good/0.json", ...PIN]],
]);

const MIXED = ["verify", "mixed", "good", "mixed/a.json", ...PIN];
/** Returns an outcome without its last lines, which name the kernel. */
const table = ({ stdout, stderr, code }: Outcome) => ({
  stdout: stdout.slice(0, stdout.indexOf("Each verdict")),
  stderr,
  code,
});

test("however many threads, and whichever kernel: the same lines in the same order", async () => {
  const expected = table(await svc([...MIXED, "--jobs", "1"]));
  assert.match(expected.stdout, /^16 files: 13 verified, 1 unreadable, 2 rejected\.$/m);
  for (const options of [
    [],
    ["--jobs", "2"],
    ["--jobs", "5"],
    ["--jobs", "2", "--kernel", "reference"],
    ["--cross-check"],
  ])
    assert.deepEqual(table(await svc([...MIXED, ...options])), expected, options.join(" "));
});

test("--json is a line for each file, with core's own report, whatever the threads do", async () => {
  const outcome = await svc([...MIXED, "--json"]);
  assert.deepEqual(await svc([...MIXED, "--json", "--jobs", "3"]), outcome);
  assert.deepEqual([outcome.stderr, outcome.code], ["", 1]);
  assert.match(outcome.stdout, /^[^\p{Cf}\p{Zl}\p{Zp}\u0000-\u0009\u000b-\u001f]+$/u, "as a terminal shows it");
  const written = outcome.stdout.trimEnd().split("\n");
  const lines = written.map((line) => JSON.parse(line)).filter((line) => line.not_looked_at === undefined);
  assert.equal(written.length - lines.length, 2);
  const trust = {
    signers: [{ kid: kidOf(referenceKernel, SERVICE.publicKeyHex), public_key_hex: SERVICE.publicKeyHex }],
  };
  assert.equal(lines.length, 16);
  for (const { file, report, error, ...rest } of lines) {
    assert.deepEqual(rest, {});
    if (file === "mixed/e.json") assert.deepEqual(Object.keys(error), ["outcome", "message", "action"]);
    else assert.deepEqual(told(report), told(verify(readFileSync(join(FOLDER, file)), { trust })));
  }
  const [first] = (await svc(["verify", "good", "--json", "--cross-check", ...PIN])).stdout.split("\n");
  assert.deepEqual(Object.keys(JSON.parse(first ?? "")), ["file", "report", "cross_check"]);
});

test("one file gives what the command of its kind gives", async () => {
  for (const options of [[], PIN, [...PIN, "--json"], [...PIN, "--cross-check"]]) {
    const expected = await svc(["receipts", "verify", "--file", "loan-1005.receipt.json", ...options]);
    const outcome = await svc(["verify", "loan-1005.receipt.json", ...options]);
    const command = /svc receipts verify/;
    assert.equal(steady(outcome.stdout), steady(expected.stdout).replace(command, "svc verify"));
    assert.deepEqual([outcome.stderr, outcome.code], [expected.stderr, expected.code]);
    const piped = await svc(["verify", "-", ...options], {
      stdin: readFileSync(join(FOLDER, "loan-1005.receipt.json")),
    });
    assert.equal(piped.code, expected.code);
  }
  const missing = await svc(["verify", "no.json"]);
  assert.deepEqual([missing.stdout, missing.code], ["", 66]);
  assert.match(missing.stderr, /^svc: Cannot read "no\.json": there is no such file\./);
});

test("standard input is among files, once", async () => {
  const { stdout, code } = await svc(["verify", "-", "good/0.json", "-", "--jobs", "2", ...PIN], { stdin: "{}" });
  assert.match(stdout, /^NO EVIDENCE +- +- +standard input$/m);
  assert.match(stdout, /^2 files: 1 verified, 1 no evidence\.$/m);
  assert.equal(code, 66);
  const both = await svc(["verify", "-", "good", "--trust", "-"], { stdin: "{}" });
  assert.deepEqual([both.stdout, both.code], ["", 64]);
});

test("the trust file of the call is no evidence, and alone it is nothing", async () => {
  const { stdout, code } = await svc(["verify", "own", "--trust", "own/trust.json"]);
  assert.match(stdout, /^1 file: 1 verified\.$/m);
  assert.equal(code, 0);
  assert.equal((await svc(["verify", "own/t*.json", "--trust", "own/trust.json"])).code, 66);
  assert.equal((await svc(["verify", "own/trust.json", "good", "--trust", "own/trust.json"])).code, 66);
});

test("a folder that cannot be read is a line, and the others are verified", {
  skip: process.getuid?.() === 0 ? false : "only root may become somebody else",
}, async () => {
  mkdirSync(join(FOLDER, "half/closed"), { recursive: true });
  put("half/closed/a.json", receipt);
  put("half/b.json", receipt);
  chmodSync(join(FOLDER, "half/closed"), 0o700);
  const { stdout, stderr, code } = await svc(["verify", "half", ...PIN], { uid: 65534 });
  assert.match(stdout, /^✗ Cannot read "half\/closed": you are not allowed to look into it\.$/m);
  assert.match(stdout, /^2 files: 1 verified, 1 unreadable\.$/m);
  assert.deepEqual([stderr, code], ["", 66]);
});

test("the exit code is the worst", async () => {
  const code = async (...args: string[]) => (await svc(["verify", ...args])).code;
  assert.equal(await code("good", ...PIN), 0);
  assert.equal(await code("good"), 2);
  assert.equal(await code("good", "no.json"), 66);
  assert.equal(await code("good", "no.json", "mixed/d.json"), 1);
});

test("a call that is wrong verifies nothing", async () => {
  for (const args of [[], ["good", "--jobs", "0"], ["good", "--jobs", "65"], ["good", "--jobs", "2", "--jobs", "2"]]) {
    const { stdout, code } = await svc(["verify", ...args]);
    assert.deepEqual([stdout, code], ["", 64], args.join(" "));
  }
});

test("a thread that ends or fails leaves no table, and 70", async () => {
  const preload = put(
    "ends.mjs",
    `import { isMainThread, parentPort } from "node:worker_threads";
     if (!isMainThread) parentPort.once("message", () => process.exit(0));`,
  );
  const ended = await svc(["verify", "good", "--jobs", "2", ...PIN], {
    env: { NODE_OPTIONS: `--import=./${preload}` },
  });
  assert.match(ended.stderr, /^svc: A thread of svc ended too early\.\n/);
  assert.deepEqual([ended.stdout, ended.code], ["", 70]);
  const failing = await buildWithFault(
    "fails",
    'openJson: () => { throw new TypeError("no memory\\u001b[31m"); }, parseJson: () => { throw new ' +
      'TypeError("no memory\\u001b[31m"); }',
  );
  const failed = await svc(["verify", "good", "--jobs", "2", ...PIN], { program: failing });
  assert.match(failed.stderr, /^svc: Internal error: no memory\\u\{1b\}\[31m\n/);
  assert.deepEqual([failed.stdout, failed.code], ["", 70]);
});
