/** The examples of the README are run; each prints the lines below it, up to a line of three dots. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { packageInput, packageOf } from "@svc/testkit/evidence/truth-packages";
import { EXIT } from "../src/exit.ts";
import { portable } from "./row.ts";
import { bundle, changed, KEY, put, receipt, svc } from "./svc.ts";

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

put(
  "payload.bundle.json",
  changed(bundle, ({ payloads }) => payloads[receipt.stream_event_id].payload.amount++),
);
const ofProject = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
const [, shown = ""] = /^```text\n([\s\S]+?)^```$/m.exec(ofProject) ?? [];
const calls = [...shown.matchAll(/^\$ svc (.+)\n([\s\S]+?)^\.\.\.$/gm)];

test("the project's README shows what is verified, and what is rejected", () => {
  assert.deepEqual(
    calls.map(([, , output = ""]) => output.split(" ")[0]),
    ["VERIFIED", "REJECTED"],
  );
});

for (const [, args = "", output = ""] of calls) {
  test(`the project's README: svc ${args}`, async () => {
    const { stdout } = await svc(args.replace(/\b7a69…adc7\b/, KEY).split(" "));
    assert.equal(stdout.slice(0, output.length), output);
  });
}

test("the README names every exit code", () => {
  const named = [...readme.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code));
  assert.deepEqual(named, Object.values(EXIT));
});
