/**
 * Files that somebody else put into a folder: by its name or by its content, none of them changes whom a call trusts,
 * keeps another file out of the table, or makes the call wait for ever.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fork, putRow } from "./row.ts";
import { COMMAND, changed, FOLDER, KEY, PIN, put, receipt, runProcess, svc } from "./svc.ts";

const isWindows = process.platform === "win32";
/** Runs a line of a shell in a folder, in which `svc` is the program. */
const shell = (folder: string, line: string) =>
  runProcess("sh", ["-c", `cd '${folder}'; svc() { ${COMMAND} "$@"; }; ${line}`]);

putRow();
for (const folder of ["planted", "names", "cases", "dash", "policies", "pipes"]) mkdirSync(join(FOLDER, folder));

test("a pattern of the shell makes no option out of a file's name", async () => {
  put("planted/a.json", receipt);
  assert.equal((await shell("planted", "svc verify *")).code, 2);
  for (const name of [`--public-key-hex=${KEY}`, "--trust=a.json", "--quiet", "-x.json"]) {
    put(`planted/${name}`, "");
    const planted = await shell("planted", "svc verify *");
    assert.deepEqual([planted.code, planted.stdout], [64, ""], name);
    // A word that is longer than a line is cut.
    const words = planted.stderr.replace(/\s/g, "");
    assert.ok(words.startsWith(`svc:"${name}"isanoption,andafileinthisfolderiscalledsotoo`), planted.stderr);
    assert.equal((await shell("planted", "svc verify -- *.json")).code, name.endsWith(".json") ? 66 : 2);
    assert.match((await shell("planted", "svc verify ./*.json")).stdout, /a\.json/);
    execFileSync("rm", ["--", join(FOLDER, "planted", name)]);
  }
});

test("a name that is not UTF-8 is never taken for that of another file", { skip: isWindows }, async () => {
  const folder = Buffer.from(join(FOLDER, "names/"));
  const bytes = new TextEncoder().encode(JSON.stringify(receipt));
  writeFileSync(Buffer.concat([folder, Buffer.from("a\ufffd.json")]), bytes);
  writeFileSync(Buffer.concat([folder, Buffer.from([0x61, 0xff]), Buffer.from(".json")]), "{}");
  mkdirSync(Buffer.concat([folder, Buffer.from("in\ufffd")]));
  mkdirSync(Buffer.concat([folder, Buffer.from([0x69, 0x6e, 0xff])]));
  for (const args of ["names", "'names/*'", "names/*.json"]) {
    const { stdout, stderr, code } = await shell(".", `svc verify ${args} ${PIN.join(" ")}`);
    assert.equal(code, 66, args);
    assert.doesNotMatch(stdout, /VERIFIED/);
    assert.match(`${stdout}${stderr}`, /its name has bytes that are not\s+UTF-8/);
  }
});

test("a folder's files are found whatever the case of their ending", async () => {
  put("cases/a.json", receipt);
  put(
    "cases/B.JSON",
    changed(receipt, (copy) => Object.assign(copy.payload, { amount: 1 })),
  );
  const { stdout, code } = await svc(["verify", "cases", ...PIN]);
  assert.match(stdout, /^2 files: 1 verified, 1 rejected\.$/m);
  assert.equal(code, 1);
});

test("a file called - is not standard input, and what is to be typed is no option", async () => {
  put("dash/-", receipt);
  put("dash/-x.json", receipt);
  const pattern = await shell("dash", `svc verify '*' ${PIN.join(" ")} < /dev/null`);
  assert.match(pattern.stdout, /^VERIFIED .* \.\/-$/m);
  assert.match(pattern.stdout, /^VERIFIED .* \.\/-x\.json$/m);
  assert.equal(pattern.code, 0);
  assert.match((await shell("dash", "svc verify -- -x.json")).stdout, /svc verify \.\/-x\.json --public-key-hex <key>/);
});

test("every name of standard input is one", async () => {
  const stdin = JSON.stringify(receipt);
  const { stdout, code } = await svc(["verify", "-", "/dev/stdin", "cases/a.json", "--jobs", "2", ...PIN], { stdin });
  assert.match(stdout, /^2 files: 2 verified\.$/m);
  assert.equal(code, 0);
  assert.equal((await svc(["verify", "/dev/stdin", "cases", "--trust", "-"], { stdin })).code, 64);
});

test("a trust policy among the files is said to be one, alone or with others", async () => {
  put("policies/a.json", receipt);
  put("policies/b.trust.json", { signers: [] });
  const { stdout, code } = await svc(["verify", "policies", ...PIN]);
  assert.match(stdout, /^○ "policies\/b\.trust\.json" is a trust policy, not evidence\. /m);
  assert.match(stdout, /^2 files: 1 verified, 1 no evidence\.$/m);
  assert.equal(code, 66);
  const { stdout: json } = await svc(["verify", "policies", "--cross-check", "--json", ...PIN]);
  assert.deepEqual(Object.keys(JSON.parse(json.trim().split("\n")[1] ?? "")), ["file", "error"]);
});

test("a fork among good files is no good news", async () => {
  put("fork.json", fork);
  const { stdout, code } = await svc(["verify", "fork.json", "cases/a.json", ...PIN]);
  assert.match(stdout, /^FORK /m);
  assert.match(stdout, /^2 files: 1 verified, 1 evidence of a fork\.$/m);
  assert.equal(code, 1);
});

test("a pipe that nobody writes into keeps the others waiting for three seconds, and not for ever", {
  skip: isWindows,
  timeout: 30_000,
}, async () => {
  execFileSync("mkfifo", [join(FOLDER, "pipes/p.json")]);
  for (const args of [["pipes/p.json", "cases/a.json"], ["pipes/*.json"]]) {
    const { stdout, code } = await svc(["verify", ...args, ...PIN]);
    assert.match(stdout, /^✗ Cannot read "pipes\/p\.json": it is a pipe, and nothing came out of it/m);
    assert.equal(code, 66);
  }
});
