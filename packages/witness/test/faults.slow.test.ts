/** An operator's mistakes: each gets one line that says what to do, and the right exit code. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { witnessProgram } from "@svc/testkit/built";
import { findNode, runtimeTest } from "@svc/testkit/runtimes";
import { command, environmentOf } from "@svc/testkit/svc-witness";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { NAME } from "./running.ts";

/** Makes a witness, and returns its files. */
async function made() {
  const folder = temporaryFolder();
  const environment = environmentOf(folder);
  assert.equal((await command(["init", "--name", NAME], environment)).code, 0);
  const [database, key, mark] = ["data/witness.sqlite", "keys/witness.key", "keys/high-water.sqlite"].map((file) =>
    join(folder, file),
  ) as [string, string, string];
  return { folder, environment, database, key, mark };
}

/** Asserts that a command ends with this code and one line. */
async function assertSays(
  words: readonly string[],
  environment: Record<string, string>,
  code: number,
  says: RegExp,
): Promise<void> {
  const answer = await command(words, environment);
  assert.deepEqual([answer.code, answer.out], [code, ""], `${words.join(" ")}: ${answer.err}`);
  assert.match(answer.err, /^svc-witness: [^\n]+\n$/, words.join(" "));
  assert.match(answer.err, says, words.join(" "));
}

test("a place that is wrong", async () => {
  const { folder, environment } = await made();
  const file = join(folder, "a file");
  writeFileSync(file, "");
  const at = (data: string) => ({ ...environmentOf(folder), SVC_WITNESS_DATA: data, SVC_WITNESS_KEYS: data });
  const init = ["init", "--name", NAME];
  await assertSays(init, environment, 1, /exists: a witness is never made over another one/);
  await assertSays(init, at(file), 1, /Something has this name already: choose another/);
  await assertSays(init, at(join(file, "below")), 1, /A part of the path is no folder: name another/);
  for (const words of [["start"], ["key"], ["origins", "list"], ["forks", "list"], ["backup", "--to", folder]])
    for (const data of [file, join(folder, "nowhere")])
      await assertSays(words, at(data), 1, /There is no witness in .*Make one with svc-witness init/);
});

test("an argument that is a folder, is not there, or is taken", async () => {
  const { folder, environment, database } = await made();
  const list = (path: string) => ["origins", "pull", "--list", path];
  await assertSays(list(folder), environment, 64, /cannot be read: EISDIR.*Give the path of a file/);
  await assertSays(list(join(folder, "none")), environment, 64, /cannot be read: ENOENT.*Give the path of a file/);
  const backup = (path: string) => ["backup", "--to", path];
  for (const taken of [folder, database])
    await assertSays(backup(taken), environment, 1, /Something has this name already: choose another/);
  await assertSays(backup(join(folder, "none/copy")), environment, 1, /Check the path/);
  await assertSays(backup(join(database, "copy")), environment, 1, /A part of the path is no folder/);
  await assertSays(["origins", "add", "--vkey", database], environment, 64, /it is not of the form name\+hash\+base64/);
  for (const words of [[], ["origins"], ["frobnicate"], ["backup"], ["start", "--port", "x"], ["key", "more"]])
    assert.equal((await command(words, environment)).code, 64, words.join(" "));
});

test("a port that is taken, and an address that this machine does not have", async (t) => {
  const { environment } = await made();
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  t.after(() => taken.close());
  const port = `${(taken.address() as AddressInfo).port}`;
  await assertSays(["start", "--port", port], environment, 1, /is in use. Choose another with --port/);
  await assertSays(["start", "--host", "192.0.2.1"], environment, 1, /no.* address of this machine.* --host/);
  const metrics = { ...environment, SVC_WITNESS_METRICS_PORT: port };
  await assertSays(["start"], metrics, 1, /is in use. Choose another with SVC_WITNESS_METRICS_PORT/);
});

test("files that are damaged, missing, folders, or open to others", async () => {
  for (const name of ["database", "key", "mark"] as const) {
    for (const kind of ["garbage", "missing", "folder"] as const) {
      const witness = await made();
      const file = witness[name];
      rmSync(file);
      if (kind === "garbage") writeFileSync(file, "x".repeat(4096), { mode: 0o600 });
      if (kind === "folder") mkdirSync(file);
      await assertSays(["start"], witness.environment, 1, new RegExp(file.replaceAll(/[/.]/g, "\\$&")));
      const doctor = await command(["doctor"], witness.environment);
      assert.equal(doctor.code, 1, `${name} ${kind}: ${doctor.out}${doctor.err}`);
      assert.match(doctor.out, /^fail {2}/m, `${name} ${kind}: ${doctor.err}`);
      assert.match(doctor.err, /^svc-witness: (?:one check|\d checks) failed\n$/);
    }
  }
  const { environment, key } = await made();
  chmodSync(key, 0o640);
  await assertSays(["start"], environment, 1, /Others may read the key .*: chmod 600 it/);
  assert.match((await command(["doctor"], environment)).out, /^fail {2}permissions: .*chmod 600/m);
});

test("it needs neither a home nor a path, and a reader that has enough is no error", async () => {
  const { environment } = await made();
  const alone = join(temporaryFolder(), "w.mjs");
  copyFileSync(await witnessProgram(), alone);
  const { SVC_WITNESS_DATA = "", SVC_WITNESS_KEYS = "" } = environment;
  const options = { env: { SVC_WITNESS_DATA, SVC_WITNESS_KEYS }, cwd: "/", encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [alone, "key"], options);
  assert.deepEqual([status, stderr], [0, ""]);
  assert.ok(stdout.startsWith(`${NAME}+`));
  const command = `"${process.execPath}" "${alone}" start --help | true`;
  assert.equal(spawnSync("sh", ["-c", command], { ...options, env: process.env }).stderr, "");
});

runtimeTest("a Node that is too old gets an error of one line", findNode(20), async (node) => {
  const { status, stdout, stderr } = spawnSync(node, [await witnessProgram(), "start"], { encoding: "utf8" });
  assert.deepEqual([status, stdout], [64, ""]);
  assert.match(stderr, /^svc-witness: this needs Node 24 or newer, and \S+ is Node 20\.[\d.]+\. [^\n]+\n$/);
});
