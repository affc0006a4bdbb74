/** The example in the help of every command is one that runs, on files of the names that stand in it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { putRow } from "./row.ts";
import { svc } from "./svc.ts";

putRow();

/** The commands whose examples end otherwise than with 0. */
const CODES: Readonly<Record<string, number>> = { "forks find": 1 };
const COMMANDS = [
  "bundles show",
  "bundles redact",
  "bundles extract",
  "bundles note",
  "bundles tlog-proof",
  "bundles continuity",
  "receipts export",
  "forks find",
  "tamper",
  "verify",
];

for (const command of COMMANDS)
  test(`the example of svc ${command} runs`, async () => {
    const { stdout } = await svc([...command.split(" "), "--help"]);
    assert.ok(stdout.split("\n").every((line) => [...line].length <= 80 || line.startsWith("  svc ")));
    const [, example = ""] = /\nExample:\n {2}svc (.+)\n/.exec(stdout) ?? [];
    assert.ok(example.startsWith(`${command} `), stdout);
    const outcome = await svc([
      ...example.split(" "),
      ...(example.includes("--out") && command !== "tamper" ? ["--force"] : []),
    ]);
    assert.equal(outcome.stderr, "");
    assert.equal(outcome.code, CODES[command] ?? 0);
  });
