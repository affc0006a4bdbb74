/** `svc verify FOLDER`: it looks at every kind that a service issues, and the last line names all other files. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { buildZip, utf8 } from "@svc/testkit/evidence/build-zip";
import { packageInput, packageOf, partsOf } from "@svc/testkit/evidence/truth-packages";
import { FOLDER, PIN, put, receipt, svc } from "./svc.ts";

const bytes = await packageOf(await packageInput());
const edited = buildZip(
  partsOf(bytes).map((part) => (part.name === "events.csv" ? { ...part, content: utf8("nothing") } : part)),
);
for (const folder of ["d", "only", "plain", "many"]) mkdirSync(join(FOLDER, folder));
put("d/receipt1.json", receipt);
put("d/march.truth.zip", edited);
put("only/march.truth.ZIP", bytes);
put("plain/notes.txt", "not looked at");
put("plain/march.zip.part", edited);
put("many/a.json", receipt);
for (let index = 10; index < 40; index++) put(`many/${index}-\u001b[31m.txt`, "");

const lines = (text: string) => text.trimEnd().split("\n");

test("a package in a folder is looked at, and a damaged one is not passed over", async () => {
  const { stdout, code } = await svc(["verify", "d", ...PIN]);
  assert.match(stdout, /^REJECTED +truth-package .* d\/march\.truth\.zip$/m);
  assert.match(stdout, /^2 files: 1 verified, 1 rejected\.$/m);
  assert.equal(code, 1);
  // The same as if each had been named.
  assert.equal((await svc(["verify", "d/march.truth.zip", "d/receipt1.json", ...PIN])).code, code);
});

test("a folder with nothing but a package is verified by it", async () => {
  const { stdout, code } = await svc(["verify", "only", ...PIN]);
  assert.match(stdout, /^VERIFIED +truth-package /m);
  assert.equal(code, 0);
});

test("the other files of a folder are named in the last line, and change no exit code", async () => {
  put("plain/receipt.json", receipt);
  const { stdout, code } = await svc(["verify", "plain", ...PIN]);
  assert.equal(lines(stdout).at(-1), "2 files were not looked at: plain/march.zip.part, plain/notes.txt");
  assert.equal(code, 0);
  const named = await svc(["verify", "plain", "plain/notes.txt", ...PIN]);
  assert.equal(lines(named.stdout).at(-1), "1 file was not looked at: plain/march.zip.part");
  const quiet = await svc(["verify", "plain", "--quiet", ...PIN]);
  assert.deepEqual([quiet.stdout, quiet.code], ["", 0]);
});

test("of many files some are named, escaped, with their number", async () => {
  const { stdout } = await svc(["verify", "many", ...PIN]);
  const [, said = ""] = stdout.split("\n\n30 files were");
  assert.match(said, /^ not looked at: many\/10-\\u\{1b\}\[31m\.txt, many\/11-/);
  assert.match(said, /many\/19-.*\n {2}and 20 more, which --json lists\.\n$/);
  assert.doesNotMatch(said, /many\/20-/);
});

test("--json and --report have a line for each of them, behind all others", async () => {
  const { stdout } = await svc(["verify", "many", "--json", "--report", "many.jsonl", ...PIN]);
  const written = lines(stdout).map((line) => JSON.parse(line));
  assert.equal(readFileSync(join(FOLDER, "many.jsonl"), "utf8"), stdout);
  assert.equal(written.length, 31);
  assert.deepEqual(Object.keys(written[0]), ["file", "report"]);
  assert.deepEqual(written[1], { file: "many/10-\u001b[31m.txt", not_looked_at: true });
});

test("a folder without evidence gets NO EVIDENCE, and its other files are listed", async () => {
  mkdirSync(join(FOLDER, "words"));
  put("words/notes.txt", "");
  const { stdout, code } = await svc(["verify", "words", ...PIN]);
  assert.match(stdout, /^NO EVIDENCE +- +- +words$/m);
  assert.match(stdout, /There is no file in "words" with a name in \.json, \.zip or \.tlog-proof\./);
  assert.equal(lines(stdout).at(-1), "1 file was not looked at: words/notes.txt");
  assert.equal(code, 66);
});
