/** Rows that move only from the state in which they were read: a row that any hand changed meanwhile does not move. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Database, WriteConflict } from "@svc/host/store";
import { type Made, openDeployment } from "@svc/testkit/server/running-server";
import {
  beginBuild,
  chosenBundle,
  type ExportRow,
  findExport,
  insertExport,
  isWanted,
  keepChoice,
  markDeleted,
  markExportFailed,
  markReady,
  requeue,
} from "../src/exports/exports-store.ts";
import { newId } from "../src/ids.ts";
import { findStream, moveCheckpoints, moveHeads, moveWindows, type StreamRow } from "../src/streams/streams-store.ts";

const NOW = "2026-03-01T10:15:30.000Z";
const HASH = "ab".repeat(32) as StreamRow["head_event_hash"];
const OTHER_HASH = "cd".repeat(32) as StreamRow["head_event_hash"];

/** Returns a deployment's database that no server has open. */
async function opened(t: TestContext) {
  const { made, database } = await openDeployment(t);
  const change = (sql: string, ...values: (string | number | null)[]) =>
    database.write((writer) => writer.run(sql, ...values));
  return { made, database, change };
}

test("a stream moves only from the very place at which it was seen", async (t) => {
  const { made, database } = await opened(t);
  const { tenant_id, stream_id } = made;
  const seen = await database.read((reader) => findStream(reader, tenant_id, stream_id));
  assert.ok(seen !== null);
  const head = { seqNo: 1, eventHash: HASH, receivedAt: NOW };
  const window = { toSeqNo: 1, unwindowedSince: null, closedAt: NOW };
  const checkpoint = { windowCount: 1, toSeqNo: 1, createdAt: NOW };
  const moves: readonly [(old: StreamRow) => Promise<unknown>, Partial<StreamRow>][] = [
    [
      (old) => database.write((writer) => moveHeads(writer, [{ ...head, stream: old }])),
      { head_seq_no: 7, head_event_hash: OTHER_HASH, tenant_id: newId("tnt"), stream_id: newId("str") },
    ],
    [
      (old) => database.write((writer) => moveWindows(writer, old, window)),
      { window_count: 7, windowed_to_seq_no: 7, tenant_id: newId("tnt"), stream_id: newId("str") },
    ],
    [
      (old) => database.write((writer) => moveCheckpoints(writer, old, checkpoint)),
      { checkpointed_window_count: 7, tenant_id: newId("tnt"), stream_id: newId("str") },
    ],
  ];
  for (const [move, others] of moves) {
    for (const [name, value] of Object.entries(others))
      await assert.rejects(move({ ...seen, [name]: value }), WriteConflict, name);
    await move(seen);
  }
  assert.deepEqual(
    { ...(await database.read((reader) => findStream(reader, tenant_id, stream_id))) },
    {
      ...seen,
      head_seq_no: 1,
      head_event_hash: HASH,
      last_received_at: NOW,
      // The window took it.
      unwindowed_since: null,
      window_count: 1,
      windowed_to_seq_no: 1,
      checkpointed_window_count: 1,
      checkpointed_to_seq_no: 1,
      last_sealed_at: NOW,
    },
  );
});

async function exportBeingBuilt(database: Database, made: Made) {
  const { tenant_id, stream_id, system_id } = made;
  const export_id = newId("exp");
  const actor = { tenantId: tenant_id, kind: "system", id: system_id, roles: [] } as const;
  const row = await database.write(async (writer) => {
    const ranges = [{ stream_id, from_seq_no: 1, to_seq_no: 1 }];
    await insertExport(writer, actor, { export_id, payloads: "included", created_at: NOW }, ranges);
    return beginBuild(writer, export_id, NOW);
  });
  assert.ok(row !== null);
  const find = async () =>
    ({ ...(await database.read((reader) => findExport(reader, tenant_id, export_id))) }) as ExportRow;
  return { row: { ...row }, find };
}

const BUILT = { packageSha256: HASH, manifestSha256: HASH, sizeBytes: 7, challenge: HASH, proofSha256: HASH };
const CHOSEN = { bundle_id: "bnd_1", window_count: 1, statements: [] };

test("a build ends only the export that it was begun for, and only as long as that waits for it", async (t) => {
  const { made, database, change } = await opened(t);
  const { row, find } = await exportBeingBuilt(database, made);
  const { export_id } = row;
  const ready = (build: ExportRow) =>
    database.write((writer) => markReady(writer, build, BUILT, { readyAt: NOW, expiresAt: NOW, eventId: "" }));
  const wanted = (build: ExportRow) => database.read((reader) => isWanted(reader, build));
  const again = (build: ExportRow) => database.write((writer) => requeue(writer, build, { attempts: 0 }));
  const chosen = () => database.read((reader) => chosenBundle(reader, export_id, made.stream_id));
  await database.write((writer) => keepChoice(writer, export_id, made.stream_id, CHOSEN));
  const others: readonly ExportRow[] = [
    { ...row, build_no: row.build_no + 1 },
    { ...row, export_id: newId("exp") },
  ];
  for (const other of others) {
    assert.equal(await wanted(other), false);
    await assert.rejects(ready(other), WriteConflict);
    await again(other);
    assert.deepEqual([await find(), await chosen()], [row, CHOSEN]);
  }
  for (const state of ["queued", "failed", "deleted"]) {
    await change("UPDATE exports SET state = $1 WHERE export_id = $2", state, export_id);
    assert.equal(await wanted(row), false, state);
    await assert.rejects(ready(row), WriteConflict, state);
    await again(row);
    assert.deepEqual([await find(), await chosen()], [{ ...row, state }, CHOSEN], state);
  }
  await change("UPDATE exports SET state = 'building', attempts = 5 WHERE export_id = $1", export_id);
  assert.equal(await wanted(row), true);
  await again(row);
  assert.deepEqual(await find(), { ...row, state: "queued", attempts: 0 });
});

test("what is ready, failed or deleted does not begin to be built, nor fail", async (t) => {
  const { made, database, change } = await opened(t);
  const { row, find } = await exportBeingBuilt(database, made);
  const { export_id } = row;
  const begin = (id: string) => database.write((writer) => beginBuild(writer, id, "2027-01-01T00:00:00.000Z"));
  const fail = (id: string) => database.write((writer) => markExportFailed(writer, id, "internal_error", NOW));
  const nobodys = newId("exp");
  assert.deepEqual([await begin(nobodys), await fail(nobodys)], [null, false]);
  for (const state of ["ready", "failed", "deleted"]) {
    await change("UPDATE exports SET state = $1 WHERE export_id = $2", state, export_id);
    assert.deepEqual([await begin(export_id), await fail(export_id)], [null, false], state);
    assert.deepEqual(await find(), { ...row, state });
  }
  for (const state of ["queued", "building"]) {
    await change("UPDATE exports SET state = $1 WHERE export_id = $2", state, export_id);
    const begun = await begin(export_id);
    // The time in the package stays that of its first build.
    assert.deepEqual([begun?.state, begun?.packaged_at], ["building", NOW]);
    await change("UPDATE exports SET state = $1 WHERE export_id = $2", state, export_id);
    assert.equal(await fail(export_id), true);
  }
  assert.equal((await find()).state, "failed");
  const end = (id: string) => database.write((writer) => markDeleted(writer, id, "requested", NOW));
  assert.deepEqual([await end(nobodys), await end(export_id), await end(export_id)], [false, true, false]);
  const { failure_code, failed_at, deleted_because } = await find();
  assert.deepEqual([failure_code, failed_at, deleted_because], [null, null, "requested"]);
});
