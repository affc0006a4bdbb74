/** A Node that is too old says so in one line for any call, before any code runs that needs a newer one. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import process from "node:process";
import { test } from "node:test";
import { EXIT } from "../src/exit.ts";
import { runProcess, SVC } from "./svc.ts";

/** Loaded before the program: from then on Node says that it is of another release. */
const taken = (release: string) =>
  `data:text/javascript,${encodeURIComponent(`Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${release}" } })`)}`;

for (const [release, words] of [
  ["18.20.8", ["--version"]],
  ["16.20.2", ["verify", "file.json"]],
  ["9.11.2", []],
] as const)
  test(`Node ${release} is refused, and the message names the version that is needed`, async () => {
    const ended = await runProcess(process.execPath, ["--import", taken(release), SVC, ...words]);
    assert.deepEqual([ended.code, ended.stdout], [EXIT.usage, ""]);
    assert.match(ended.stderr, /^svc: this needs Node 20 or newer, and \S.* is Node [\d.]+\. Install [^\n]+\n$/);
    assert.ok(ended.stderr.includes(`is Node ${release}.`));
  });

test("nothing is imported by name from Node that Node 16 has not, or it would not come to that line", () => {
  const younger = /\bimport \{[^}]*\b(?:availableParallelism|getBuiltinModule|parseEnv|styleText)\b[^}]*\} from "node:/;
  assert.doesNotMatch(readFileSync(SVC, "utf8"), younger);
});
