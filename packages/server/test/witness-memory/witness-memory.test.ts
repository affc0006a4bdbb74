/** The memory of the witness: each origin for itself, forwards only, in a file that nobody else reads. */
import assert from "node:assert/strict";
import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import type { HashHex } from "@svc/core";
import { WriteConflict } from "@svc/host/store";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { copyMemory, readingMemory, WitnessMemory } from "../../src/witness-memory/witness-memory.ts";

const treeOf = (treeSize: number) => ({
  treeSize,
  frontier: [treeSize.toString(16).padStart(64, "0") as HashHex],
  note: `note of ${treeSize}`,
  cosignedAt: treeSize,
});

async function opened(t: TestContext) {
  const path = join(temporaryFolder(), "witness.db");
  const memory = await WitnessMemory.open(path);
  t.after(() => memory.close());
  return { memory, path };
}

test("each origin is remembered for itself, and moves on only from where it was seen", async (t) => {
  const { memory } = await opened(t);
  assert.deepEqual(
    [await memory.of("a"), await memory.newestOfStream("service"), await memory.count()],
    [null, null, 0],
  );
  await memory.keep("a", null, treeOf(3));
  await memory.keep("b", null, treeOf(5));
  const remembered = (origin: string, size: number) => ({ origin, givenUpAt: null, ...treeOf(size) });
  for (const from of [null, 2, 4]) await assert.rejects(memory.keep("a", from, treeOf(9)), WriteConflict);
  assert.deepEqual(await memory.of("a"), remembered("a", 3));
  assert.deepEqual(await memory.newestOfStream("service"), remembered("b", 5));
  await memory.keep("a", 3, treeOf(4));
  assert.deepEqual([await memory.of("a"), await memory.of("b")], [remembered("a", 4), remembered("b", 5)]);
  assert.deepEqual([await memory.newestOfStream("service"), await memory.count()], [remembered("a", 4), 2]);
  assert.deepEqual(await memory.list("", 1), [remembered("a", 4)]);
  assert.deepEqual([await memory.list("a", 9), await memory.list("b", 9)], [[remembered("b", 5)], []]);
});

test("trees that are given up are remembered, and are not the newest", async (t) => {
  const { memory } = await opened(t);
  await memory.keep("a", null, treeOf(3));
  await memory.giveUp("2026-03-01T00:00:00.000Z");
  const { givenUpAt } = (await memory.of("a")) ?? {};
  assert.deepEqual([givenUpAt, await memory.newestOfStream("service")], ["2026-03-01T00:00:00.000Z", null]);
  await memory.keep("b", null, treeOf(1));
  assert.equal((await memory.newestOfStream("service"))?.origin, "b");
});

test("opening or reading a damaged file fails with a message that says what to do", async (t) => {
  const path = join(temporaryFolder(), "witness.db");
  writeFileSync(path, "no database, but as long as the head of one".repeat(10));
  const says = { name: "DataFolderError", message: /witness\.db is damaged: .*Put it back\. .*keep it/ };
  await assert.rejects(WitnessMemory.open(path), says);
  await assert.rejects(
    readingMemory(path, (reader) => reader.newestOfStream("service")),
    says,
  );
  rmSync(path);
  const memory = await WitnessMemory.open(path);
  t.after(() => memory.close());
  assert.equal(await memory.count(), 0);
  await memory.keep("a", null, treeOf(3));
  const rows = new DatabaseSync(path);
  rows.exec("UPDATE signed SET frontier = 'x'");
  rows.close();
  await assert.rejects(
    readingMemory(path, (reader) => reader.newestOfStream("service")),
    says,
  );
});

test("the file is closed to others, and is read and copied beside its writer; a missing one remembers nothing", async (t) => {
  const { memory, path } = await opened(t);
  await memory.keep("a", null, treeOf(3));
  for (const name of [path, `${path}-wal`, `${path}-shm`]) assert.equal(statSync(name).mode & 0o077, 0, name);
  const seen = (file: string) =>
    readingMemory(file, async (reader) => [await reader.count(), await reader.newestOfStream("service")]);
  assert.deepEqual(await seen(path), [1, { origin: "a", givenUpAt: null, ...treeOf(3) }]);
  const copy = join(temporaryFolder(), "witness.db");
  await copyMemory(path, copy);
  const again = await WitnessMemory.open(copy);
  t.after(() => again.close());
  assert.equal((await again.of("a"))?.treeSize, 3);
  const missing = join(temporaryFolder(), "witness.db");
  assert.deepEqual([await seen(missing), existsSync(missing)], [[0, null], false]);
});
