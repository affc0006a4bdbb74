/**
 * A log contradicts itself before a witness, and somebody who has nothing but the evidence and the log's key checks it
 * with `svc`, after the witness and all its files are gone.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { built } from "@svc/testkit/built";
import { bodyOf, TestLog } from "@svc/testkit/evidence/log";
import { command, environmentOf, startWitness } from "@svc/testkit/svc-witness";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { add, get, madeWitness } from "./running.ts";

const EMPTY_FOLDER = "an empty folder";

/** Runs `svc` in a folder that is its home as well. */
async function svcIn(folder: string, ...words: string[]) {
  const program = join(await built("cli"), "svc.mjs");
  const env = { PATH: "/nowhere", HOME: folder };
  return spawnSync(process.execPath, [program, ...words], { cwd: folder, env, encoding: "utf8" });
}

test("each way of contradicting is refused, is recorded once, and convinces a third party offline", async (t) => {
  const log = new TestLog("log.example/two-faced").growTo(3);
  const folder = await madeWitness(log.vkey);
  const environment = environmentOf(folder);
  const witness = await startWitness(t, environment);
  const other = log.copy().growTo(5, "other");
  assert.equal((await add(witness, await log.body(0))).status, 200);
  assert.equal((await add(witness, await log.growTo(5).body(3))).status, 200);
  assert.equal((await add(witness, await log.growTo(8).body(5))).status, 200);
  const third = await log.note(8, { root: new Uint8Array(32).fill(3) });
  for (let time = 0; time < 3; time++) {
    // A size that was cosigned before, from an old size that is not the recorded one.
    const stale = await add(witness, bodyOf(3, other.proof(3), await other.note()));
    assert.deepEqual([stale.status, stale.text], [409, "8\n"]);
    // The recorded size.
    assert.equal((await add(witness, bodyOf(8, [], third))).status, 422);
  }
  const { forks } = JSON.parse((await get(witness, "/forks")).text) as { forks: { tree_size: number }[] };
  assert.deepEqual(
    forks.map(({ tree_size }) => tree_size),
    [8, 5],
  );
  const files = readdirSync(join(folder, "data/forks"));
  assert.equal(files.length, 2);
  const listed = (await command(["forks", "list", "--json"], environment)).out.trim().split("\n");
  assert.equal(listed.length, 2);

  const apart = join(temporaryFolder(), EMPTY_FOLDER);
  mkdirSync(apart);
  for (const file of files) copyFileSync(join(folder, "data/forks", file), join(apart, file));
  await witness.end("SIGTERM");
  rmSync(folder, { recursive: true });
  for (const file of files) {
    const evidence = JSON.parse(readFileSync(join(apart, file), "utf8")) as Record<string, unknown>;
    assert.deepEqual([evidence.kind, evidence.divergence], ["note", null]);
    const verified = await svcIn(apart, "forks", "verify", file, "--public-key-hex", log.signer.publicKeyHex);
    assert.equal(verified.status, 0, verified.stdout + verified.stderr);
    assert.match(verified.stdout, /^VERIFIED /);
    // Its truth needs no trust; whom it convicts does.
    const untrusted = await svcIn(apart, "forks", "verify", file);
    assert.match(untrusted.stdout, /^UNTRUSTED /);
    const stranger = new TestLog("log.example/stranger").signer.publicKeyHex;
    assert.notEqual((await svcIn(apart, "forks", "verify", file, "--public-key-hex", stranger)).status, 0);
    for (const [name, changed] of Object.entries({
      "one side twice": { ...evidence, right: evidence.left },
      "a different size": { ...evidence, left: String(evidence.left).replace(/\n(\d+)\n/, "\n1$1\n") },
    })) {
      writeFileSync(join(apart, "changed.json"), JSON.stringify(changed));
      const rejected = await svcIn(
        apart,
        "forks",
        "verify",
        "changed.json",
        "--public-key-hex",
        log.signer.publicKeyHex,
      );
      assert.match(rejected.stdout, /^REJECTED /, name);
    }
  }
});
