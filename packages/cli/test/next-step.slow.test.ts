/**
 * A page tells a person what to type after an untrusted verdict. A shell runs those words unchanged here; then the same
 * call is verified.
 */
import assert from "node:assert/strict";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { putRow } from "./row.ts";
import { COMMAND, FOLDER, KEY, outerPath, put, runProcess } from "./svc.ts";

putRow();
put("nobody.json", { signers: [] });
writeFileSync(join(FOLDER, "bin", "svc"), `#!/bin/sh\nexec ${COMMAND} "$@"\n`);
chmodSync(join(FOLDER, "bin", "svc"), 0o755);
const env = { PATH: `${join(FOLDER, "bin")}:${outerPath()}`, HOME: join(FOLDER, "home") };
const shell = (command: string) => runProcess("bash", ["--norc", "-c", command], { env });

/** Returns the commands of a page: lines that call svc, four columns in, with their continuations. */
function commandsOf(page: string): string[] {
  return [...page.matchAll(/^ {4}(svc (?:.*\\\n)*.*)/gm)].map(([, command = ""]) => command);
}

for (const call of [
  "svc bundles offline-verify --file march.bundle.json",
  "svc receipts verify --file loan-1005.receipt.json",
  "svc receipts verify --file loan-1005.redacted.json --payload loan-1005.payload.json",
  "svc verify file --file loan-1005.portable.json",
  "svc consistency verify --file march-to-april.json",
  "svc forks verify --file fork.json",
  "svc receipts verify --file loan-1005.receipt.json --trust nobody.json",
])
  test(`the next steps work: ${call}`, async () => {
    const { stdout, code } = await shell(call);
    assert.equal(code, 2);
    const typed = commandsOf(stdout).map((command) => command.replace("<key>", KEY).replace("<name>", "acme"));
    const [once = "", keep = "", ...more] = typed;
    assert.deepEqual(more, []);
    assert.equal((await shell(once)).code, 0, once);
    assert.match(keep, /^svc trust add /);
    assert.equal((await shell(keep)).code, 0, keep);
    assert.equal((await shell(call)).code, 0);
    rmSync(env.HOME, { recursive: true, force: true });
  });

test("a file of another kind is sent to the command that checks it", async () => {
  const { stdout, code } = await shell("svc bundles offline-verify --file loan-1005.portable.json");
  assert.equal(code, 1);
  const [command = ""] = commandsOf(stdout);
  assert.equal((await shell(`${command} --public-key-hex ${KEY}`)).code, 0, command);
});

test("where the trust came from nowhere that stays, only the call itself is offered", async () => {
  const { stdout } = await shell("svc receipts verify --file loan-1005.receipt.json --trust - < nobody.json");
  assert.deepEqual(
    commandsOf(stdout).filter((command) => command.includes("trust add")),
    [],
  );
});
