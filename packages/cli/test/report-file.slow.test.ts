/**
 * `--report`: on every path the file has the output of `--json`, or the reason why there is no verdict; and no existing
 * file is lost for it.
 */
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { FOLDER, KEY, type Outcome, PIN, put, runProcess, SVC, svc } from "./svc.ts";

const VERIFY = ["receipts", "verify", "--file", "loan-1005.receipt.json"];
const contentOf = (name: string) => readFileSync(join(FOLDER, name), "utf8");
const said = ({ stderr }: Outcome) => stderr.trim().replace(/\n {5}/g, " ");
const leftovers = () => readdirSync(FOLDER).filter((name) => name.endsWith(".tmp"));

test("it has what --json prints, whatever the verdict and whatever else is printed", async () => {
  for (const [args, code] of [
    [[...VERIFY, ...PIN], 0],
    [["bundles", "offline-verify", "--file", "loan-1005.receipt.json", ...PIN], 1],
    [VERIFY, 2],
    [[...VERIFY, ...PIN, "--cross-check"], 0],
  ] as const) {
    const { stdout } = await svc([...args, "--json"]);
    for (const more of [[], ["--json"], ["--quiet"]]) {
      const outcome = await svc([...args, ...more, "--report", "report.json"]);
      assert.deepEqual([outcome.code, outcome.stderr], [code, ""]);
      assert.equal(contentOf("report.json"), stdout);
      if (more[0] === "--quiet") assert.equal(outcome.stdout, "");
    }
  }
  assert.deepEqual(leftovers(), []);
});

const refusals: readonly (readonly [name: string, args: readonly string[], code: number, error: RegExp])[] = [
  [
    "a file that is missing",
    [...VERIFY.slice(0, 3), "none.json"],
    66,
    /^Cannot read "none\.json": there is no such file\.$/,
  ],
  ["a page", [...VERIFY.slice(0, 3), put("page.json", "<html>")], 66, /is an HTML or XML page, not JSON\.$/],
  [
    "a bad key",
    [...VERIFY, "--public-key-hex", `${KEY}0`],
    64,
    /^--public-key-hex: the key has 65 characters and must have 64\.$/,
  ],
  ["an unknown option", [...VERIFY, "--strict"], 64, /^unknown option '--strict'/],
  ["a missing option", ["receipts", "verify"], 64, /^missing required argument 'file'$/],
  ["a wrong value", [...VERIFY, "--from", "x"], 64, /^option '--from <number>' argument 'x' is invalid\./],
  ["an argument", [...VERIFY, "more.json"], 64, /^the file is given twice$/],
];
for (const [name, args, code, error] of refusals)
  test(`it says why there is no verdict: ${name}`, async () => {
    const forms = [
      [...args, "--report", "refused.json"],
      [...args, "--report=refused.json"],
      [...args.slice(0, 2), "--report", "refused.json", ...args.slice(2)],
    ];
    for (const form of forms) {
      put("refused.json", "the report of another run");
      const outcome = await svc(form);
      const refused = JSON.parse(contentOf("refused.json"));
      assert.deepEqual(Object.keys(refused), ["error", "exit_code", "action"]);
      assert.match(refused.error, error);
      assert.deepEqual([outcome.code, refused.exit_code], [code, code]);
      // The mark of input that is no evidence is for people.
      assert.equal(said(outcome).replace("svc: NO EVIDENCE: ", "svc: "), `svc: ${refused.error} ${refused.action}`);
    }
  });

test("it says so where svc itself fails", async () => {
  const preload = put("no-clock.mjs", 'performance.now = () => { throw new Error("no clock\\u001b[2J"); };');
  const args = ["--import", `./${preload}`, SVC, ...VERIFY, "--report", "failed.json"];
  assert.equal((await runProcess(process.execPath, args)).code, 70);
  assert.doesNotMatch(contentOf("failed.json"), /\u001b/);
  const { error, exit_code } = JSON.parse(contentOf("failed.json"));
  assert.deepEqual([error, exit_code], ["Internal error: no clock\u001b[2J", 70]);
});

mkdirSync(join(FOLDER, "reports"));
const unwritable: readonly (readonly [name: string, path: string, reason: string])[] = [
  ["a folder that is not there", "nowhere/report.json", "there is no such folder."],
  ["a folder", "reports", "it is a folder or a device, not a file."],
  ["a device", "/dev/null", "it is a folder or a device, not a file."],
];
for (const [name, path, reason] of unwritable)
  test(`where it cannot be written the run fails, whatever the verdict: ${name}`, async () => {
    for (const args of [[...VERIFY, ...PIN], VERIFY, [...VERIFY, ...PIN, "--quiet"]]) {
      const outcome = await svc([...args, "--report", path]);
      assert.equal(outcome.code, 66);
      assert.ok(said(outcome).startsWith(`svc: --report: Cannot write "${path}": ${reason}`), outcome.stderr);
      assert.equal(outcome.stdout === "", args.includes("--quiet"), "the page is printed all the same");
    }
    const refused = await svc([...VERIFY, "--file", "none.json", "--report", path]);
    assert.equal(refused.code, 66);
    assert.match(refused.stderr, /It is given twice[\s\S]*--report: Cannot write/);
  });

test("it is never written over what the call reads", async () => {
  const trust = put("own.trust.json", { signers: [] });
  const payload = put("own.payload.json", { payload: {}, payload_salt: "0".repeat(32) });
  symlinkSync("loan-1005.receipt.json", join(FOLDER, "by-another-name.json"));
  for (const path of ["loan-1005.receipt.json", "./loan-1005.receipt.json", "by-another-name.json", trust, payload]) {
    const before = contentOf(path);
    const outcome = await svc([...VERIFY, "--trust", trust, "--payload", payload, "--report", path]);
    assert.match(said(outcome), /--report names a file that this call reads, and would write over it/);
    assert.deepEqual([outcome.code, outcome.stdout], [64, ""]);
    assert.equal(contentOf(path), before);
  }
  for (const wrong of [["--from", "x"], ["--strict"], ["--trust", "-", "--link", "-"], ["--public-key-hex", "0x"]]) {
    const before = contentOf("loan-1005.receipt.json");
    for (const call of [
      ["receipts", "verify", "--report", "loan-1005.receipt.json", "--file", "loan-1005.receipt.json", ...wrong],
      ["receipts", "verify", ...wrong, "--file=loan-1005.receipt.json", "--report=by-another-name.json"],
    ]) {
      const outcome = await svc(call);
      assert.match(said(outcome), /--report names a file that this call reads/);
      assert.deepEqual([outcome.code, outcome.stdout], [64, ""]);
      assert.equal(contentOf("loan-1005.receipt.json"), before);
    }
  }
  const usual = put("usual.trust.json", { signers: [] });
  const byVariable = await svc([...VERIFY, "--report", usual, "--from", "x"], { env: { SVC_TRUST: usual } });
  assert.deepEqual([byVariable.code, contentOf(usual)], [64, JSON.stringify({ signers: [] }, null, 1)]);
  const onTerminal = await svc([...VERIFY, "--report", "-"]);
  assert.match(said(onTerminal), /--report goes to a file, not to standard output\. Use --json/);
  assert.ok(!existsSync(join(FOLDER, "-")));
});

test("it takes the place of an older one: of the file that a link leads to, and with its mode", async () => {
  const old = put("reports/old.json", "old");
  chmodSync(join(FOLDER, old), 0o640);
  symlinkSync("reports/old.json", join(FOLDER, "latest.json"));
  const { code } = await svc([...VERIFY, ...PIN, "--report", "latest.json"]);
  assert.equal(code, 0);
  assert.equal(JSON.parse(contentOf(old)).verdict, "verified");
  assert.equal(statSync(join(FOLDER, old)).mode & 0o777, 0o640);
  assert.deepEqual(leftovers(), []);
});

test("a command that has no such option writes nothing", async () => {
  for (const args of [["trust", "list"], ["bundles"], ["keys", "show"], []]) {
    const { code } = await svc([...args, "--report", "stray.json"]);
    assert.equal(code, 64);
    assert.ok(!existsSync(join(FOLDER, "stray.json")));
  }
});
