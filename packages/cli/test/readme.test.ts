/** The examples of the README are run; each prints the lines below it, up to a line of three dots. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { packageInput, packageOf } from "@svc/testkit/evidence/truth-packages";
import { EXIT } from "../src/exit.ts";
import { portable } from "./row.ts";
import { put, svc } from "./svc.ts";

put("loan-1005.portable.json", portable);
put("march.truth.zip", await packageOf(await packageInput()));

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const examples = [...readme.matchAll(/^```console\n\$ svc (.+)\n([\s\S]+?)\.\.\.\n```$/gm)];

/** The one file that the README shows and an example reads. */
const [, shownFile = ""] = /^```jsonl\n([\s\S]+?)^```$/m.exec(readme) ?? [];

test("the README has an example for each command", () => {
  const commands = examples.map(([, args = ""]) => args.split(" ").slice(0, 2).join(" "));
  assert.deepEqual(
    [...new Set(commands)],
    [
      "verify march.bundle.json",
      "bundles offline-verify",
      "receipts verify",
      "verify file",
      "verify truth-package",
      "explain range_incomplete",
      "conformance <",
    ],
  );
  assert.equal(examples.length, readme.split("```console").length - 1);
});

for (const [, args = "", output = ""] of examples) {
  test(`example: svc ${args}`, async () => {
    const [call = "", file] = args.split(" < ");
    const { stdout } = await svc(call.split(" "), file === undefined ? {} : { stdin: shownFile });
    assert.equal(stdout.slice(0, output.length), output);
  });
}

test("the README names every exit code", () => {
  const named = [...readme.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code));
  assert.deepEqual(named, Object.values(EXIT));
});
