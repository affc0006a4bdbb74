/** Every example that the help pages of trust, keys and completion give is run as it stands there, by a shell, in the order of a reader. */
import assert from "node:assert/strict";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { referenceKernel } from "@svc/core";
import { WITNESS, WITNESS_POLICY } from "../../core/test/service.ts";
import { startChild } from "../../server/test/child-process.ts";
import { keyForms } from "../src/keys/forms.ts";
import { FOLDER, KEY, outerPath, runProcess, SVC, svc } from "./svc.ts";

const FAMILIES: readonly (readonly string[])[] = [
  ...["generate", "show", "endorse"].map((name) => ["keys", name]),
  ...["add", "list", "show", "remember", "revoke", "remove", "pin-from", "pin-block"].map((name) => ["trust", name]),
  ["completion"],
];
const HASH = `0x${"ab".repeat(32)}`;
/** What the examples leave to their reader. */
const READERS: Readonly<Record<string, string>> = {
  KEY,
  NEW: KEY,
  VKEY: keyForms(referenceKernel, WITNESS.publicKeyHex, WITNESS_POLICY.witnessKeys[0]?.name).witness_vkey ?? "",
  ADDRESS: `0x${"cd".repeat(20)}`,
  CODE: HASH,
  BLOCK_HASH: HASH,
  HOME: join(FOLDER, "reader"),
};

test("each command of trust and keys has its examples in the list", async () => {
  for (const family of ["trust", "keys"]) {
    const { stdout } = await svc([family, "--help"]);
    const [, commands = ""] = /^Commands:\n([\s\S]*?)\n\n/m.exec(`${stdout}\n\n`) ?? [];
    const names = [...commands.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name);
    const listed = FAMILIES.flatMap(([first, name]) => (first === family ? [name] : []));
    assert.deepEqual(names.sort(), listed.sort());
  }
});

test("every example of a help page runs, and the page fits into 80 columns", async (t) => {
  const { url } = await startChild(t, join(FOLDER, "data"));
  writeFileSync(join(FOLDER, "bin", "svc"), `#!/bin/sh\nexec "${process.execPath}" "${SVC}" "$@"\n`);
  chmodSync(join(FOLDER, "bin", "svc"), 0o755);
  const env = { ...READERS, PATH: `${join(FOLDER, "bin")}:${outerPath()}` };
  for (const path of FAMILIES) {
    const { stdout } = await svc([...path, "--help"]);
    assert.deepEqual(
      stdout.split("\n").filter((line) => line.length > 80),
      [],
      path.join(" "),
    );
    const [, part = ""] = /^Examples?:\n((?: {2}.+\n)+)/m.exec(stdout) ?? [];
    const examples = part.split("\n").flatMap((line) => (line === "" ? [] : [line.trim()]));
    assert.ok(examples.length > 0, path.join(" "));
    for (const example of examples) {
      assert.ok(example.includes(`svc ${path.join(" ")}`), example);
      // Only a person at a terminal is asked, and only this machine has a server to ask.
      const isPinFrom = path[1] === "pin-from";
      const typed = isPinFrom ? `${example.replace("https://evidence.example", url)} --yes` : example;
      // The name of the examples belongs to the revoked key by now.
      if (isPinFrom) rmSync(READERS.HOME ?? "", { recursive: true });
      const outcome = await runProcess("bash", ["-c", typed], { env });
      assert.deepEqual([outcome.code, outcome.stderr], [0, ""], example);
    }
  }
});
