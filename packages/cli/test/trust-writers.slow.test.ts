/**
 * Several writers of one trust file, and writers that died: nothing that a call reported as written is lost, and no
 * call waits for ever.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { testSigner } from "@svc/testkit/evidence/signer";
import { Refusal } from "../src/exit.ts";
import { withLock } from "../src/trust/lock.ts";
import { FOLDER, KEY, put, svc } from "./svc.ts";

const WRITERS = 12;
const add = (file: string, key: string) => svc(["trust", "add", "--public-key-hex", key, "--trust", file]);
const signersIn = (file: string): { public_key_hex: string }[] =>
  JSON.parse(readFileSync(join(FOLDER, file), "utf8")).signers;
/** Returns the id of a process that is gone. */
const gone = () => `${spawnSync(process.execPath, ["--version"]).pid}\n`;
/** Leaves a lock, as one that died a minute ago. */
function leave(lock: string, content: string): void {
  writeFileSync(lock, content);
  const then = Date.now() / 1000 - 60;
  utimesSync(lock, then, then);
}

test("of many writers at once none loses what another wrote", async () => {
  mkdirSync(join(FOLDER, "busy"));
  const keys = Array.from({ length: WRITERS }, (_, index) => testSigner(`writer ${index}`).publicKeyHex);
  const outcomes = await Promise.all(keys.map((key) => add("busy/trust.json", key)));
  assert.deepEqual(
    outcomes.map(({ code, stderr }) => [code, stderr]),
    keys.map(() => [0, ""]),
  );
  assert.deepEqual(
    signersIn("busy/trust.json")
      .map((pin) => pin.public_key_hex)
      .sort(),
    [...keys].sort(),
  );
  assert.deepEqual(readdirSync(join(FOLDER, "busy")), ["trust.json"]);
});

test("locks and half-written files of processes that died are cleared away", async () => {
  mkdirSync(join(FOLDER, "dead"));
  put("dead/trust.json.lock", gone());
  put("dead/trust.json.tmp", '{"signers": [');
  const keys = Array.from({ length: 4 }, (_, index) => testSigner(`heir ${index}`).publicKeyHex);
  const outcomes = await Promise.all(keys.map((key) => add("dead/trust.json", key)));
  assert.deepEqual(
    outcomes.map(({ code }) => code),
    [0, 0, 0, 0],
  );
  assert.equal(signersIn("dead/trust.json").length, 4);
  assert.deepEqual(readdirSync(join(FOLDER, "dead")), ["trust.json"]);
});

test("a lock whose process lives is waited for, and never broken", async () => {
  const file = join(FOLDER, "held.json");
  const order: string[] = [];
  let release = () => {};
  const first = withLock(file, async () => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    order.push("first");
  });
  const second = withLock(file, () => order.push("second"));
  await assert.rejects(
    withLock(file, () => order.push("never"), 0),
    (error: unknown) => {
      assert.ok(error instanceof Refusal);
      assert.equal(error.exitCode, 70);
      assert.match(error.message, new RegExp(`Another process \\(process ${process.pid}\\) keeps "${file}\\.lock"`));
      return true;
    },
  );
  release();
  await Promise.all([first, second]);
  assert.deepEqual(order, ["first", "second"]);
  assert.ok(!existsSync(`${file}.lock`));
});

test("a lock with the id of this process, which does not hold it, is of one that died under the same id", async () => {
  const file = join(FOLDER, "own.json");
  leave(`${file}.lock`, `${process.pid}\n`);
  assert.equal(await withLock(file, () => "done"), "done");
  leave(`${file}.lock`, `${process.pid}\n`);
  leave(`${file}.lock.break`, `${process.pid}\n`);
  assert.equal(await withLock(file, () => "done"), "done");
  assert.ok(!existsSync(`${file}.lock`) && !existsSync(`${file}.lock.break`));
});

test("one that died while it broke a lock keeps nobody out", async () => {
  const file = join(FOLDER, "broken.json");
  for (const end of ["", ".break", ".break.break"]) leave(`${file}.lock${end}`, gone());
  assert.equal(await withLock(file, () => "done"), "done");
  assert.deepEqual(
    readdirSync(FOLDER).filter((name) => name.startsWith("broken")),
    [],
  );
});

test("a lock that was taken just now is not broken: its process may be one of another container", async () => {
  const file = join(FOLDER, "fresh.json");
  for (const content of [gone(), `${process.pid}\n`]) {
    writeFileSync(`${file}.lock`, content);
    await assert.rejects(
      withLock(file, () => assert.fail("not ours"), 0),
      /Another process .*keeps/,
    );
    assert.equal(readFileSync(`${file}.lock`, "utf8"), content);
  }
});

test("an empty lock is of one that died before it wrote its id, once it is old", async () => {
  const file = join(FOLDER, "empty.json");
  writeFileSync(`${file}.lock`, "");
  await assert.rejects(
    withLock(file, () => assert.fail("not ours"), 0),
    /Another process keeps/,
  );
  for (const end of ["", ".break"]) leave(`${file}.lock${end}`, "");
  assert.equal(await withLock(file, () => "done"), "done");
  assert.ok(!existsSync(`${file}.lock`) && !existsSync(`${file}.lock.break`));
});

test("a lock that names no process in other words is never broken", async () => {
  const file = join(FOLDER, "nameless.json");
  for (const content of ["0\n", "-1\n", "12"]) {
    leave(`${file}.lock`, content);
    await assert.rejects(
      withLock(file, () => assert.fail("not ours"), 0),
      /Another process keeps/,
    );
    assert.equal(readFileSync(`${file}.lock`, "utf8"), content);
  }
});

test("work that fails gives the lock back", async () => {
  const file = join(FOLDER, "failing.json");
  const fails = withLock(file, () => {
    throw new RangeError("no");
  });
  await assert.rejects(fails, RangeError);
  assert.equal(await withLock(file, () => "again", 0), "again");
});

test("a file that cannot be written is said with the reason, and keeps what was there", async () => {
  mkdirSync(join(FOLDER, "folder.json"));
  put("plain.txt", "");
  const under = await add("plain.txt/trust.json", KEY);
  assert.equal(under.code, 70);
  // Where a line ends depends on the length of the folder's path.
  const unwrapped = (text: string) => text.replace(/\n {5}/g, " ");
  assert.match(unwrapped(under.stderr), /could not be written: the system says (ENOTDIR|EEXIST)\..*unchanged/);
  const folder = await add("folder.json", KEY);
  assert.equal(folder.code, 66);
  assert.match(unwrapped(folder.stderr), /it is a folder, not a file/);
});
