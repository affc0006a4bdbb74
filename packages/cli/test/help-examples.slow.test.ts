/**
 * Every command has examples in its help, and each of them runs unchanged: by a shell, on files of the names in it, in
 * the order of a reader.
 */
import assert from "node:assert/strict";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { referenceKernel } from "@svc/core";
import { builtPage } from "@svc/testkit/built";
import { anchorOf } from "@svc/testkit/evidence/anchors";
import { SERVICE, WITNESS, WITNESS_POLICY } from "@svc/testkit/evidence/service";
import { packageInput, packageOf } from "@svc/testkit/evidence/truth-packages";
import { startChild } from "@svc/testkit/server/child-process";
import { makeDeployment } from "@svc/testkit/server/running-server";
import type { Command } from "commander";
import { ALL } from "../src/all-commands.ts";
import { fingerprintOf, keyForms } from "../src/keys/forms.ts";
import { program } from "../src/program.ts";
import { march, putRow } from "./row.ts";
import { evidence, FOLDER, KEY, outerPath, put, runProcess, SVC, svc } from "./svc.ts";
import { putVaults } from "./vaults.ts";

await putVaults();
putRow();
put("window.json", march.artifacts["windows.json"][0]);
put("checkpoint.json", march.artifacts["checkpoints.json"][0]);
put("anchor.json", await anchorOf(evidence.checkpoints));
put("march.truth.zip", await packageOf(await packageInput()));
put("verify.html", (await builtPage()).html);

/** Commands whose examples need those before them; all others run in the order of the tree. */
const IN_ORDER = [
  ...["generate", "show", "endorse"].map((name) => `keys ${name}`),
  ...["add", "list", "show", "remember", "revoke", "remove", "pin-from", "pin-block", "pin-contract", "pin-vault"].map(
    (name) => `trust ${name}`,
  ),
  ...["find", "verify"].map((name) => `forks ${name}`),
];
/** The commands whose examples do not end with 0: a server trusts nobody; a fork is found. */
const CODES: Readonly<Record<string, number>> = {
  "bundles verify": 2,
  "windows verify": 2,
  "checkpoints verify": 2,
  "anchors verify": 2,
  "forks find": 1,
};
const HASH = `0x${"ab".repeat(32)}`;
/** The values that the examples leave to their reader. */
const READERS: Readonly<Record<string, string>> = {
  KEY,
  FINGERPRINT: fingerprintOf(referenceKernel, SERVICE.publicKeyHex),
  NEW: KEY,
  VKEY: keyForms(referenceKernel, WITNESS.publicKeyHex, WITNESS_POLICY.witnessKeys[0]?.name).witness_vkey ?? "",
  INSTALLATION: `ins_0${"1".repeat(25)}`,
  ADDRESS: `0x${"cd".repeat(20)}`,
  CODE: HASH,
  BLOCK_HASH: HASH,
  HOME: join(FOLDER, "reader"),
};

/** Returns the commands that do something, by the words after `svc`. */
function leavesOf(command: Command, path: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [path.join(" ")];
  return command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]));
}

const leaves = leavesOf(program(ALL)).filter((leaf) => !IN_ORDER.includes(leaf));

test("each command that needs others before it is there", () => {
  assert.deepEqual(
    leavesOf(program(ALL))
      .filter((leaf) => IN_ORDER.includes(leaf))
      .sort(),
    [...IN_ORDER].sort(),
  );
});

test("every example of every help page runs, and the pages fit into 80 columns", async (t) => {
  const made = await makeDeployment(join(FOLDER, "data"));
  const { url } = await startChild(t, join(FOLDER, "data"));
  writeFileSync(join(FOLDER, "bin", "svc"), `#!/bin/sh\nexec "${process.execPath}" "${SVC}" "$@"\n`);
  chmodSync(join(FOLDER, "bin", "svc"), 0o755);
  const watching = { STREAM: made.stream_id, SVC_API_KEY: made.api_key ?? "" };
  const env = { ...READERS, ...watching, PATH: `${join(FOLDER, "bin")}:${outerPath()}` };
  for (const leaf of [...IN_ORDER, ...leaves]) {
    const { stdout } = await svc([...leaf.split(" "), "--help"]);
    const wide = stdout.split("\n").filter((line) => line.length > 80 && !line.startsWith("  svc "));
    assert.deepEqual(wide, [], leaf);
    const [, part = ""] = /^Examples?:\n((?: {2}.+\n)+)/m.exec(`${stdout}\n`) ?? [];
    const examples = part.split("\n").flatMap((line) => (line === "" ? [] : [line.trim()]));
    assert.ok(examples.length > 0, `svc ${leaf} --help has no example`);
    for (const example of examples) {
      assert.ok(example.includes(`svc ${leaf}`), example);
      const isPinFrom = leaf === "trust pin-from";
      // Only a person at a terminal is asked, and only this machine has a server to ask.
      const typed = `${example.replace("https://evidence.example", url)}${isPinFrom ? " --yes" : ""}`;
      // The name in the examples belongs to the revoked key by now.
      if (isPinFrom) rmSync(READERS.HOME ?? "", { recursive: true });
      const [, out] = / --out (\S+)/.exec(typed) ?? [];
      if (out !== undefined) rmSync(join(FOLDER, out), { force: true, recursive: true });
      const outcome = await runProcess("bash", ["-c", typed], { env });
      const code = CODES[leaf] ?? 0;
      assert.equal(outcome.code, code, `${example}\n${outcome.stdout}\n${outcome.stderr}`);
      if (code < 64) assert.equal(outcome.stderr, "", example);
    }
  }
});
