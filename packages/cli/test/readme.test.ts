/** The examples of the README are run; each prints what it says there, up to a line of three dots. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { EXIT } from "../src/exit.ts";
import { svc } from "./svc.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const examples = [...readme.matchAll(/^```console\n\$ svc (.+)\n([\s\S]+?)\.\.\.\n```$/gm)];

test("the README has an example for each command", () => {
  const commands = examples.map(([, args = ""]) => args.split(" ").slice(0, 2).join(" "));
  assert.deepEqual([...new Set(commands)], ["bundles offline-verify", "receipts verify"]);
  assert.equal(examples.length, readme.split("```console").length - 1);
});

for (const [, args = "", output = ""] of examples) {
  test(`example: svc ${args}`, async () => {
    const { stdout } = await svc(args.split(" "));
    assert.equal(stdout.slice(0, output.length), output);
  });
}

test("the README names every exit code", () => {
  const named = [...readme.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code));
  assert.deepEqual(named, Object.values(EXIT));
});
