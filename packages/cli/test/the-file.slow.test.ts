/** The word behind a command is its file, everywhere; `--file` is the same. The words of a hint can be typed. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { packageInput, packageOf } from "@svc/testkit/evidence/truth-packages";
import { fork, marchToApril, portable, putRow } from "./row.ts";
import { bundle, commandOf, FOLDER, type Outcome, PIN, put, receipt, runProcess, steady, svc } from "./svc.ts";

putRow();
put("march.truth.zip", await packageOf(await packageInput()));
put("p.json", portable);
put("fork.json", fork);
put("m2a.json", marchToApril);
const said = ({ stderr }: Outcome) => stderr.trim().replace(/\n {5}/g, " ");

const CALLS: readonly (readonly [command: string, file: string, more?: readonly string[]])[] = [
  ["bundles offline-verify", "march.bundle.json", PIN],
  ["receipts verify", "loan-1005.receipt.json", PIN],
  ["verify truth-package", "march.truth.zip", PIN],
  ["verify file", "p.json", PIN],
  ["verify page", "p.json", ["--sha256", "0".repeat(64)]],
  ["consistency verify", "m2a.json", PIN],
  ["forks verify", "fork.json", PIN],
  ["bundles show", "march.bundle.json"],
  ["bundles note", "march.bundle.json"],
  ["bundles extract", "march.bundle.json", ["--seq", "5"]],
  ["receipts export", "march.bundle.json", ["--seq", "5"]],
  ["bundles tlog-proof", "march.bundle.json", ["--seq", "5"]],
  ["bundles redact", "march.bundle.json", ["--seq", "5"]],
  ["report", "march.bundle.json", ["--html", "r.html", "--force", ...PIN]],
  ["bundles verify", "march.bundle.json"],
  ["windows verify", "march.bundle.json"],
];
for (const [command, file, more = []] of CALLS) {
  test(`svc ${command}: the word behind it, or --file`, async () => {
    const words = command.split(" ");
    const byOption = await svc([...words, "--file", file, ...more]);
    const byWord = await svc([...words, file, ...more]);
    assert.deepEqual({ ...byWord, stdout: steady(byWord.stdout) }, { ...byOption, stdout: steady(byOption.stdout) });
    assert.doesNotMatch(byWord.stdout + byWord.stderr, /--file/, "a hint prints the short form");
    const twice = await svc([...words, file, "--file", file, ...more]);
    assert.deepEqual([said(twice).slice(0, 29), twice.code], ["svc: the file is given twice ", 64]);
    const none = await svc([...words, ...more]);
    assert.match(said(none), /^svc: missing required argument 'file'/);
    assert.equal(none.code, 64);
  });
}

test("a file that is called like a command of svc verify can be named", async () => {
  mkdirSync(join(FOLDER, "called"));
  for (const name of ["file", "page", "truth-package"]) put(`called/${name}`, receipt);
  put("called/bundle", bundle);
  const call = (...args: string[]) =>
    runProcess("sh", ["-c", 'cd called && exec "$0" "$@"', ...commandOf(process.execPath), ...args]);
  for (const name of ["file", "page", "truth-package"])
    for (const args of [
      ["verify", name, ...PIN],
      ["verify", ...PIN, name],
      ["verify", `./${name}`, ...PIN],
    ]) {
      const { stdout, stderr, code } = await call(...args);
      assert.match(stdout, /^VERIFIED {3}sev_/, args.join(" "));
      assert.deepEqual([stderr, code], ["", 0]);
    }
  // Both could be meant, and one of them would not be looked at.
  const both = await call("verify", "file", "page", ...PIN);
  assert.match(
    said(both),
    /"file" is a command of svc verify, and a file in this folder is called so too\. Write \.\/file/,
  );
  assert.equal(both.code, 64);
  assert.equal((await call("verify", "file", "--file", "page", ...PIN)).code, 1);
});

test("a file in place of a command gets the command to type", async () => {
  const outcome = await svc(["march.bundle.json", ...PIN]);
  assert.match(said(outcome), /^svc: "march\.bundle\.json" is a file, not a command\. To check it: svc verify march\./);
  assert.deepEqual([outcome.stdout, outcome.code], ["", 64]);
  assert.match(said(await svc(["verifi", "x"])), /unknown command 'verifi' \(Did you mean verify\?\)/);
});

test("svc report without --html names the page after the file, says so, and writes over none", async () => {
  const first = await svc(["report", "march.bundle.json", ...PIN]);
  assert.match(first.stdout, /\n\nThe report as a page: march\.bundle\.report\.html\n$/);
  assert.equal(first.code, 0);
  assert.match(readFileSync(join(FOLDER, "march.bundle.report.html"), "utf8"), /^<!doctype html>/);
  const second = await svc(["report", "march.bundle.json", "--quiet", ...PIN]);
  assert.match(said(second), /it is there already\. Give another name, or --force/);
  assert.equal(second.code, 64);
  const json = await svc(["report", "loan-1005.receipt.json", "--json", ...PIN]);
  assert.equal(JSON.parse(json.stdout).verdict, "verified");
  assert.equal(json.stderr, "The report as a page: loan-1005.receipt.report.html\n");
  assert.ok(existsSync(join(FOLDER, "loan-1005.receipt.report.html")));
});
