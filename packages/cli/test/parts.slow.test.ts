/**
 * The program in parts, `svc-start.mjs` beside `svc.mjs`, `svc-verify.mjs` and `svc-explain.mjs`: it says and does the
 * same as the whole program, and loads no more than a call needs.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { beside } from "../build.ts";
import { changed, FOLDER, PIN, put, receipt, SVC, steady, svc } from "./svc.ts";

const START = beside(SVC, "start");
const VERIFY = beside(SVC, "verify");
const EXPLAIN = beside(SVC, "explain");

put(
  "edited.receipt.json",
  changed(receipt, (copy) => Object.assign(copy.payload, { amount: 1 })),
);
mkdirSync(join(FOLDER, "many"));
for (let number = 0; number < 20; number++)
  copyFileSync(join(FOLDER, "loan-1005.receipt.json"), join(FOLDER, "many", `${number}.json`));

const calls: readonly (readonly string[])[] = [
  ["--version"],
  ["--help"],
  [],
  ["no-such-command"],
  ["verify"],
  ["verify", "--help"],
  ["verify", "--version"],
  ["verify", "loan-1005.receipt.json", ...PIN],
  ["verify", "loan-1005.receipt.json"],
  ["verify", "edited.receipt.json", ...PIN, "--json"],
  ["verify", "march.bundle.json", ...PIN, "--cross-check"],
  ["verify", "many", ...PIN, "--jobs", "2"],
  ["verify", "missing.json", ...PIN],
  ["receipts", "verify", "--file", "loan-1005.receipt.json", ...PIN],
  ["bundles", "show", "--file", "march.bundle.json"],
  ["trust", "list", "--trust", "none.json"],
  ["explain"],
  ["explain", "json_malformed"],
  ["explain", "trust"],
  ["explain", "rate_limited", "--json"],
  ["explain", "--json"],
  ["explain", "--json", "trust"],
  ["explain", "no_such_code"],
  ["explain", ""],
  ["explain", "trust", "json"],
  ["explain", "--help"],
  ["explain", "--version"],
];

for (const args of calls)
  test(`svc-start.mjs answers "${args.join(" ").slice(0, 60)}" as svc.mjs does`, async () => {
    const whole = await svc(args);
    const parts = await svc(args, { program: START });
    assert.deepEqual(
      [parts.code, steady(parts.stdout), steady(parts.stderr)],
      [whole.code, steady(whole.stdout), steady(whole.stderr)],
    );
  });

for (const args of [["--version"], ["explain", "trust", "--json"]])
  test(`a file that is called like an option is refused by the parts too: ${args.join(" ")}`, async () => {
    const option = args.at(-1) ?? "";
    put(option, "");
    try {
      const { code, stdout, stderr } = await svc(args, { program: START });
      assert.deepEqual([code, stdout], [64, ""]);
      assert.match(stderr, /a file in this folder is called so too/);
    } finally {
      rmSync(join(FOLDER, option));
    }
  });

test("svc explain with a name that it knows needs no other part, and one that is not there is an error", async () => {
  const folder = join(FOLDER, "explains");
  mkdirSync(folder);
  for (const path of [START, EXPLAIN]) copyFileSync(path, join(folder, basename(path)));
  const program = join(folder, basename(START));
  assert.equal((await svc(["explain", "trust"], { program })).code, 0);
  assert.notEqual((await svc(["explain", "no_such_code"], { program })).code, 0);
});

test("a version that cannot be written is an error, by the parts too", {
  skip: process.platform !== "linux",
}, async () => {
  const { runProcess } = await import("./svc.ts");
  const { code, stderr } = await runProcess("/bin/sh", [
    "-c",
    `"${process.execPath}" "${START}" --version > /dev/full`,
  ]);
  assert.equal(code, 70);
  assert.match(stderr, /could not be written: ENOSPC/);
});

test("a call of svc verify needs neither the whole program nor, without a word to verify, its part", async () => {
  const folder = join(FOLDER, "moved");
  mkdirSync(folder);
  for (const path of [START, VERIFY]) copyFileSync(path, join(folder, basename(path)));
  const program = join(folder, basename(START));
  assert.equal((await svc(["verify", "many", "--jobs", "2", ...PIN], { program })).code, 0);
  rmSync(join(folder, basename(VERIFY)));
  assert.equal((await svc(["--version"], { program })).code, 0);
  assert.notEqual((await svc(["verify", "many"], { program })).code, 0);
  writeFileSync(join(folder, basename(SVC)), "console.log(process.argv.slice(2).join());");
  assert.equal((await svc(["trust", "list"], { program })).stdout, "trust,list\n");
});

test("the parts are beside their hashes, and what is always read is small", () => {
  const lines = readFileSync(`${START}.sha256`, "utf8").trimEnd().split("\n");
  assert.deepEqual(
    lines,
    [START, VERIFY, EXPLAIN].map((path) => {
      const sha256 = createHash("sha256").update(readFileSync(path)).digest("hex");
      return `${sha256}  ${basename(path)}`;
    }),
  );
  assert.equal(dirname(START), dirname(SVC));
  assert.ok(statSync(START).size < 8192);
  assert.ok(statSync(EXPLAIN).size < 80_000);
  assert.ok(statSync(VERIFY).size < 0.75 * statSync(SVC).size);
});
