/** A witness never serves a database that is older than what it has signed, or not its own. */
import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { copySqlite, openSole } from "@svc/host/store";
import { TestLog } from "@svc/testkit/evidence/log";
import { databaseFile, makeWitness, openDatabase, openWitness } from "../src/database.ts";
import { diagnose } from "../src/diagnose.ts";
import { markFile } from "../src/keys/high-water-mark.ts";
import { keyFile } from "../src/keys/key-file.ts";
import { add, configOf, kernel, madeWitness, NAME, started } from "./running.ts";

const ORIGIN = "log.example/one";

function removeDatabase(folder: string): string {
  const file = databaseFile(configOf(folder).dataFolder);
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
  return file;
}

test("a database that was rolled back is refused, by the start and by doctor; the newest one is not", async (t) => {
  const log = new TestLog(ORIGIN).growTo(2);
  const folder = await madeWitness(log.vkey);
  const config = configOf(folder);
  const [old, newest] = [join(folder, "old.sqlite"), join(folder, "newest.sqlite")];
  await t.test("signs twice", async (inner) => {
    const witness = await started(inner, folder);
    assert.equal((await add(witness, await log.body(0))).status, 200);
    copySqlite(databaseFile(config.dataFolder), old);
    assert.equal((await add(witness, await log.growTo(3).body(2))).status, 200);
    copySqlite(databaseFile(config.dataFolder), newest);
  });
  copyFileSync(old, removeDatabase(folder));
  await assert.rejects(openWitness(kernel, config), /rolled back: it has 1 cosignatures, and this witness has made 2/);
  const findings = await diagnose(kernel, config);
  assert.equal(findings.find(({ check }) => check === "high-water mark")?.state, "fail");
  copyFileSync(newest, removeDatabase(folder));
  const witness = await started(t, folder);
  const database = await openDatabase(config.dataFolder);
  assert.equal(await database.read((reader) => reader.isCopy()), false);
  await database.close();
  assert.equal((await add(witness, await log.growTo(4).body(3))).status, 200);
});

test("another history of as many cosignatures is refused", async (t) => {
  const logs = [new TestLog(ORIGIN).growTo(2), new TestLog("log.example/two").growTo(2)] as const;
  const folder = await madeWitness(...logs.map(({ vkey }) => vkey));
  const config = configOf(folder);
  const apart = join(folder, "apart");
  const [empty, marked] = [join(folder, "empty.sqlite"), join(folder, "mark")];
  copySqlite(databaseFile(config.dataFolder), empty);
  copyFileSync(markFile(config.keysFolder), marked);
  await t.test("one history", async (inner) => {
    assert.equal((await add(await started(inner, folder), await logs[0].body(0))).status, 200);
  });
  copySqlite(databaseFile(config.dataFolder), apart);
  const mark = readFileSync(markFile(config.keysFolder));
  copyFileSync(empty, removeDatabase(folder));
  copyFileSync(marked, markFile(config.keysFolder));
  await t.test("another history", async (inner) => {
    assert.equal((await add(await started(inner, folder), await logs[1].body(0))).status, 200);
  });
  writeFileSync(markFile(config.keysFolder), mark);
  await assert.rejects(openWitness(kernel, config), /another history/);
});

test("a last tree that was lost or changed is signed by nobody again, and doctor tells it", async (t) => {
  const [log, retold] = [new TestLog(ORIGIN).growTo(2), new TestLog(ORIGIN).growTo(2, "other")];
  const hash = "0".repeat(64);
  for (const [change, says] of [
    ["DELETE FROM latest", /its last tree is missing/],
    ["UPDATE latest SET tree_size = 1", /of size 1, and one of size 3 was signed last/],
    [`UPDATE latest SET root_hash = '${hash}'`, /of size 3, and one of size 3 was signed last/],
    [
      "UPDATE latest SET signed_note = (SELECT signed_note FROM notes WHERE tree_size = 2)",
      /its last note is of another tree/,
    ],
    ["UPDATE latest SET signed_note = 'lost'", /no cosignature by this witness that holds/],
    ["UPDATE latest SET cosigned_at = cosigned_at - 1", /cosigned at another time/],
    [`UPDATE latest SET origin_hash = '${hash}'`, /its hash is another one/],
  ] as const) {
    const folder = await madeWitness(log.vkey);
    const config = configOf(folder);
    await t.test("signs", async (inner) => {
      const witness = await started(inner, folder);
      const grown = log.copy().growTo(3);
      assert.equal((await add(witness, await log.body(0))).status, 200);
      assert.equal((await add(witness, await grown.body(2))).status, 200);
    });
    const found = async () =>
      (await diagnose(kernel, config)).find(({ check }) => check === "cosigned trees") ?? { state: "", says: "" };
    assert.deepEqual((await found()).state, "ok");
    const database = await openDatabase(config.dataFolder);
    await database.write((writer) => writer.run(change));
    await database.close();
    const { state, says: words } = await found();
    assert.equal(state, "fail", change);
    assert.match(words, says, change);
    await t.test(change, async (inner) => {
      // A start looks at the trees, and doctor at their notes as well.
      if (/DELETE|tree_size = 1|SET root_hash/.test(change)) {
        await assert.rejects(openWitness(kernel, config), /rows were lost or changed/);
        return;
      }
      const witness = await started(inner, folder);
      const again = retold.copy().growTo(3, "other");
      for (const old of [0, 1])
        assert.notEqual((await add(witness, await again.body(old))).status, 200, `${change}, from ${old}`);
    });
  }
});

/** Makes a witness that has cosigned sizes 2 and 3 of two logs, and returns its folder. */
async function signedTwice(t: TestContext, logs: readonly TestLog[]): Promise<string> {
  const folder = await madeWitness(...logs.map(({ vkey }) => vkey));
  await t.test("signs", async (inner) => {
    const witness = await started(inner, folder);
    for (const log of logs) {
      assert.equal((await add(witness, await log.body(0))).status, 200);
      assert.equal((await add(witness, await log.copy().growTo(3).body(2))).status, 200);
    }
  });
  return folder;
}

/** Changes the database of a witness as one does who has not its key. */
async function change(folder: string, sql: string): Promise<void> {
  const database = await openDatabase(configOf(folder).dataFolder);
  await database.write((writer) => writer.script(sql));
  await database.close();
}

/** Edits after which the database says no word of what was signed last for one log, and looks whole. */
const SET_BACK = {
  "one log is forgotten": `DELETE FROM latest WHERE origin = '${ORIGIN}'; DELETE FROM notes WHERE origin = '${ORIGIN}'`,
  "all logs are forgotten": "DELETE FROM latest; DELETE FROM notes",
  "the tree before is the last one": `
    UPDATE latest SET (tree_size, root_hash, signed_note) = (SELECT tree_size, root_hash, signed_note FROM notes
      WHERE origin = '${ORIGIN}' AND tree_size = 2) WHERE origin = '${ORIGIN}';
    DELETE FROM notes WHERE origin = '${ORIGIN}' AND tree_size = 3`,
  "a tree of another size": `
    UPDATE latest SET tree_size = 1 WHERE origin = '${ORIGIN}';
    DELETE FROM notes WHERE origin = '${ORIGIN}' AND tree_size = 3`,
  "more is said to be signed": `
    DELETE FROM latest WHERE origin = '${ORIGIN}'; DELETE FROM notes WHERE origin = '${ORIGIN}';
    UPDATE witness SET signed_no = signed_no + 1`,
};

const twoLogs = () => [ORIGIN, "log.example/two"].map((origin) => new TestLog(origin).growTo(2));

test("an origin that was set back inside of the database is refused, by the start and by doctor", async (t) => {
  const folder = await signedTwice(t, twoLogs());
  const [file, whole] = [databaseFile(configOf(folder).dataFolder), join(folder, "whole.sqlite")];
  copySqlite(file, whole);
  for (const [name, sql] of Object.entries(SET_BACK)) {
    copyFileSync(whole, removeDatabase(folder));
    const states = async () => new Set((await diagnose(kernel, configOf(folder))).map(({ state }) => state));
    assert.equal((await states()).has("fail"), false);
    await change(folder, sql);
    assert.equal((await states()).has("fail"), true, name);
    await assert.rejects(openWitness(kernel, configOf(folder)), /rows were lost or changed.*Put the newest/, name);
  }
});

test("an origin that is set back beneath a running witness is signed by nobody", async (t) => {
  for (const name of ["one log is forgotten", "the tree before is the last one"] as const) {
    const folder = await signedTwice(t, twoLogs());
    const witness = await started(t, folder);
    await change(folder, SET_BACK[name]);
    const retold = new TestLog(ORIGIN).growTo(2).growTo(3, "other");
    for (const old of [0, 1, 2]) assert.notEqual((await add(witness, await retold.body(old))).status, 200, name);
  }
});

/** Brings a folder to the form of the release before the last trees were bound. */
async function olden(folder: string): Promise<void> {
  await change(
    folder,
    `ALTER TABLE witness DROP COLUMN tree_sum; ALTER TABLE witness DROP COLUMN seal;
     DROP TABLE signers; DROP TABLE disowned;
     DELETE FROM schema_migrations WHERE version >= 5`,
  );
  const mark = openSole(markFile(configOf(folder).keysFolder));
  await mark?.write((writer) => writer.script("ALTER TABLE mark DROP COLUMN tree_sum"));
  await mark?.close();
}

test("a folder of an earlier release is bound at its first start, unless it is not whole", async (t) => {
  const logs = twoLogs();
  const folder = await signedTwice(t, logs);
  const [file, whole] = [databaseFile(configOf(folder).dataFolder), join(folder, "whole.sqlite")];
  await olden(folder);
  copySqlite(file, whole);
  await change(folder, `DELETE FROM latest WHERE origin = '${ORIGIN}'`);
  await assert.rejects(openWitness(kernel, configOf(folder)), /its last tree is missing.*Put the newest database back/);
  copyFileSync(whole, removeDatabase(folder));
  const findings = await diagnose(kernel, configOf(folder));
  assert.deepEqual(
    findings.filter(({ state }) => state === "fail"),
    [],
  );
  await t.test("is bound", async (inner) => {
    const witness = await started(inner, folder);
    assert.equal((await add(witness, await new TestLog(ORIGIN).growTo(4).body(3))).status, 200);
  });
  await change(folder, SET_BACK["one log is forgotten"]);
  await assert.rejects(openWitness(kernel, configOf(folder)), /rows were lost or changed/);
  // Nobody brings it back to a time before that.
  copyFileSync(whole, removeDatabase(folder));
  await assert.rejects(openWitness(kernel, configOf(folder)), /rolled back/);
  await change(folder, "UPDATE witness SET signed_no = signed_no + 9");
  await assert.rejects(openWitness(kernel, configOf(folder)), /rows were lost or changed/);
});

test("doctor reports cosignatures ahead of the clock", async (t) => {
  const log = new TestLog(ORIGIN).growTo(2);
  const folder = await madeWitness(log.vkey);
  const future = Date.now() + 3_600_000;
  await t.test("signs", async (inner) => {
    assert.equal((await add(await started(inner, folder, { clock: () => future }), await log.body(0))).status, 200);
  });
  const found = async (now: number) =>
    (await diagnose(kernel, configOf(folder), {}, now)).find(({ check }) => check === "cosigned trees");
  assert.match((await found(Date.now()))?.says ?? "", /\d+ s ahead of this machine's clock/);
  assert.equal((await found(future))?.state, "ok");
});

test("a missing mark, a missing key, another key and a missing database are refused, and nothing is made", async () => {
  const [folder, other] = [await madeWitness(), await madeWitness()];
  const [config, otherConfig] = [configOf(folder), configOf(other)];
  const [mark, key] = [markFile(config.keysFolder), keyFile(config.keysFolder)];
  const [ownMark, ownKey] = [readFileSync(mark), readFileSync(key)];
  rmSync(mark);
  await assert.rejects(openWitness(kernel, config), /high-water mark .* is missing/);
  assert.equal(existsSync(mark), false);
  writeFileSync(mark, "");
  await assert.rejects(openWitness(kernel, config), /missing or empty/);
  copyFileSync(markFile(otherConfig.keysFolder), mark);
  await assert.rejects(openWitness(kernel, config), /the high-water mark beside the key is of/);
  writeFileSync(mark, ownMark);
  copyFileSync(keyFile(otherConfig.keysFolder), key);
  await assert.rejects(openWitness(kernel, config), /the key is another one/);
  rmSync(key);
  await assert.rejects(openWitness(kernel, config), /The key .* is missing/);
  writeFileSync(key, ownKey);
  const file = removeDatabase(folder);
  await assert.rejects(openWitness(kernel, config), /The database .* is missing/);
  assert.equal(existsSync(file), false);
  await assert.rejects(makeWitness(kernel, NAME, config), /never made over another one/);
});

test("one process runs a witness, and commands work beside it", async (t) => {
  const log = new TestLog(ORIGIN).growTo(2);
  const folder = await madeWitness(log.vkey);
  const config = configOf(folder);
  await started(t, folder);
  await assert.rejects(openWitness(kernel, config), /Another svc-witness runs/);
  const database = await openDatabase(config.dataFolder);
  await database.close();
  const findings = await diagnose(kernel, config);
  assert.deepEqual(
    findings.filter(({ state }) => state === "fail"),
    [],
  );
  for (const file of [databaseFile(config.dataFolder), keyFile(config.keysFolder), markFile(config.keysFolder)])
    assert.equal(statSync(file).mode & 0o077, 0, file);
});
