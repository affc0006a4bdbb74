/** The rows of checkpoints, and the high-water mark: what moves only upwards, and what gives way. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import { makeFolderDurably } from "@svc/host/durable-file";
import { type Database, IN_MEMORY, migrate, openSqlite, soleSchema, WriteConflict } from "@svc/host/store";
import { TestLog } from "@svc/testkit/evidence/log";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import {
  type Cosigned,
  contradicted,
  insertWitness,
  keepRefused,
  latestOf,
  noteByOriginHash,
  readWitness,
  storeCosigned,
} from "../src/checkpoints/checkpoints-store.ts";
import { readMarked } from "../src/checkpoints/read-marked.ts";
import { Witness } from "../src/checkpoints/witness.ts";
import { openWitness } from "../src/database.ts";
import { HighWaterMark, makeMark } from "../src/keys/high-water-mark.ts";
import type { SignedPoint } from "../src/keys/mark-store.ts";
import { MAX_REFUSED_NOTES, MAX_SIGNED_NOTES } from "../src/limits.ts";
import { MIGRATIONS } from "../src/migrations.ts";
import { configOf, kernel, madeWitness } from "./running.ts";

const ORIGIN = "log.example/rows";
const HEAD = "0".repeat(64);

async function emptyDatabase(): Promise<Database> {
  const database = openSqlite(IN_MEMORY);
  await migrate(database, () => "2026-11-26T00:00:00.000Z", [soleSchema(MIGRATIONS)]);
  await database.write((writer) =>
    insertWitness(writer, { vkey: "w", signed_no: 0, signed_head: HEAD, tree_sum: HEAD, seal: HEAD }),
  );
  return database;
}

function cosigned(size: number, signedNo = size): Cosigned {
  const rootHash = String(size).padStart(64, "0");
  const tree = { origin: ORIGIN, originHash: "hash", treeSize: size, rootHash, note: `note ${size}` };
  return { ...tree, cosignedAt: size, signedNo, signedHead: HEAD, treeSum: HEAD, seal: HEAD };
}

test("a tree is replaced only by who has read it, and the count of cosignatures has no gap", async () => {
  const database = await emptyDatabase();
  const store = (from: Cosigned | null, to: Cosigned) => database.write((writer) => storeCosigned(writer, from, to));
  await store(null, cosigned(1));
  await assert.rejects(store(null, cosigned(2)), WriteConflict);
  await assert.rejects(store(cosigned(3), cosigned(4, 2)), WriteConflict);
  await assert.rejects(store({ ...cosigned(1), rootHash: HEAD }, cosigned(2)), WriteConflict);
  await assert.rejects(store(cosigned(1), cosigned(2, 3)), WriteConflict);
  await store(cosigned(1), cosigned(2));
  const [latest, row] = await database.read(async (reader) => [
    await latestOf(reader, ORIGIN),
    await readWitness(reader),
  ]);
  assert.deepEqual([latest?.treeSize, row?.signed_no], [2, 2]);
  await database.close();
});

test("the oldest notes give way, cosigned ones never to refused ones", async () => {
  const database = await emptyDatabase();
  const count = async (where: string) => {
    const sql = `SELECT COUNT(*) AS count, MIN(tree_size) AS least FROM notes WHERE ${where}`;
    return { ...(await database.read((reader) => reader.first<{ count: number; least: number }>(sql))) };
  };
  await database.write(async (writer) => {
    for (let size = 1; size <= MAX_SIGNED_NOTES + 5; size++)
      await storeCosigned(writer, size === 1 ? null : cosigned(size - 1), cosigned(size));
    for (let size = 1; size <= MAX_REFUSED_NOTES + 7; size++) {
      const refused = { origin: ORIGIN, treeSize: size, rootHash: HEAD, note: "refused" };
      await keepRefused(writer, refused, MAX_SIGNED_NOTES + 5);
      await keepRefused(writer, { ...refused, treeSize: 2 * MAX_SIGNED_NOTES - size }, MAX_SIGNED_NOTES + 5);
    }
  });
  assert.deepEqual(await count("signed_no IS NOT NULL"), { count: MAX_SIGNED_NOTES, least: 6 });
  const [old, ahead] = ["<=", ">"].map((is) => `signed_no IS NULL AND tree_size ${is} ${MAX_SIGNED_NOTES + 5}`);
  assert.deepEqual(await count(old ?? ""), { count: MAX_REFUSED_NOTES, least: 8 });
  const least = 2 * MAX_SIGNED_NOTES - MAX_REFUSED_NOTES - 7;
  assert.deepEqual(await count(ahead ?? ""), { count: MAX_REFUSED_NOTES + 7, least });
  const found = await database.read((reader) =>
    contradicted(reader, { origin: ORIGIN, treeSize: 9, rootHash: "else" }),
  );
  assert.equal(found[0]?.note, "note 9");
  await database.close();
});

test("no flood of refused notes ahead of the size reaches one that came before it", async () => {
  const database = await emptyDatabase();
  const keep = (treeSize: number, cosignedSize: number) => {
    const refused = { origin: ORIGIN, treeSize, rootHash: HEAD, note: "refused" };
    return database.write((writer) => keepRefused(writer, refused, cosignedSize));
  };
  const kept = async (least: number) => {
    const rows = await database.read((reader) =>
      reader.all<{ tree_size: number }>("SELECT tree_size FROM notes WHERE tree_size > $1 ORDER BY tree_size", least),
    );
    return rows.map((row) => row.tree_size);
  };
  const evidence = 1_000_000;
  await keep(evidence, 1);
  // Each note of the flood is of a size that the log would come to earlier.
  const most = 3 * MAX_REFUSED_NOTES;
  for (let size = most; size > 1; size--) await keep(size, 1);
  const sizes = await kept(1);
  assert.equal(sizes.at(-1), evidence);
  assert.equal(sizes.length, 2 * MAX_REFUSED_NOTES);
  // The other room has those to which the log comes first.
  assert.deepEqual(
    sizes.slice(0, MAX_REFUSED_NOTES),
    Array.from({ length: MAX_REFUSED_NOTES }, (_, index) => index + 2),
  );
  // Notes to whose size the log has come leave the first room, and those that came behind them are in it.
  for (let size = most + 1; size <= most + MAX_REFUSED_NOTES; size++) await keep(size, most);
  const later = await kept(most);
  assert.equal(later.length, MAX_REFUSED_NOTES + 1);
  assert.equal(later.at(-1), evidence);
  await database.close();
});

test("the mark rises with calls in any order, and never falls", async () => {
  const folder = join(temporaryFolder(), "keys");
  makeFolderDurably(folder);
  await makeMark(folder, { vkey: "w", signedNo: 0, signedHead: HEAD, treeSum: HEAD });
  const mark = await HighWaterMark.open(folder);
  const point = (signedNo: number) => ({ signedNo, signedHead: String(signedNo), treeSum: HEAD });
  await Promise.all([3, 1, 9, 4].map((signedNo) => mark.raise(point(signedNo))));
  await mark.raise(point(5));
  await mark.close();
  const again = await HighWaterMark.open(folder);
  assert.deepEqual(again.found, { vkey: "w", ...point(9) });
  await again.close();
});

test("no cosignature leaves while the mark cannot be written; the stored tree is asked for again", async (t) => {
  const log = new TestLog(ORIGIN).growTo(2);
  const opened = await openWitness(kernel, configOf(await madeWitness(log.vkey)));
  t.after(() => opened.close());
  const witnessOf = (raiseMark: () => Promise<void>) =>
    new Witness({
      kernel,
      ...opened,
      raiseMark,
      clock: () => 1_800_000_000_000,
      countOrigin: () => undefined,
      onFork: () => undefined,
    });
  const full = witnessOf(() => Promise.reject(new Error("the disk of the mark is full")));
  await assert.rejects(full.addCheckpoint(Buffer.from(await log.body(0))), /disk of the mark/);
  const hash = createHash("sha256").update(ORIGIN).digest("hex");
  const last = (raiseMark: (point: SignedPoint) => Promise<void>) =>
    readMarked(opened.database, raiseMark, (reader) => noteByOriginHash(reader, hash));
  await assert.rejects(
    last(() => Promise.reject(new Error("the disk of the mark is full"))),
    /disk of the mark/,
  );
  assert.ok((await last((point) => opened.mark.raise(point)))?.startsWith(await log.note()));
  const well = witnessOf(() => Promise.resolve());
  assert.deepEqual(await well.addCheckpoint(Buffer.from(await log.body(0))), { kind: "stale", size: 2 });
  assert.equal((await well.addCheckpoint(Buffer.from(await log.body(2)))).kind, "cosigned");
});

test("checkpoints of many origins that come together share commits", async (t) => {
  const logs = Array.from({ length: 32 }, (_, index) => new TestLog(`log.example/${index}`).growTo(3));
  const opened = await openWitness(kernel, configOf(await madeWitness(...logs.map(({ vkey }) => vkey))));
  t.after(() => opened.close());
  const witness = new Witness({
    kernel,
    ...opened,
    raiseMark: (point) => opened.mark.raise(point),
    clock: () => 1_800_000_000_000,
    countOrigin: () => undefined,
    onFork: () => undefined,
  });
  const bodies = await Promise.all(logs.map(async (log) => Buffer.from(await log.body(0))));
  const before = opened.database.commits;
  const outcomes = await Promise.all(bodies.map((body) => witness.addCheckpoint(body)));
  assert.deepEqual([...new Set(outcomes.map(({ kind }) => kind))], ["cosigned"]);
  assert.ok(opened.database.commits - before < logs.length / 2, `${opened.database.commits - before} commits`);
});
