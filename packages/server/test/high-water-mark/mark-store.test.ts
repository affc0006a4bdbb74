/**
 * The store of the high-water mark over several tenants, and a mark that meets a database without a deployment.
 */
import assert from "node:assert/strict";
import { readdirSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { DataFolderError } from "../../src/data-folder/data-folder.ts";
import { HighWaterMark } from "../../src/high-water-mark/high-water-mark.ts";
import { lossOf, noteRestored, readMark } from "../../src/high-water-mark/mark-file.ts";
import { closeAllStreams, findEventHash, newestEvent, openStreams } from "../../src/high-water-mark/mark-store.ts";
import { missingFile, secondPaths } from "../../src/high-water-mark/second-file.ts";
import { findStream } from "../../src/streams/streams-store.ts";
import {
  at,
  BANK,
  eventOf,
  hashNo,
  INSURER,
  plain,
  record,
  storeUnderTest,
  storeWithStreams,
} from "../store-under-test.ts";

test("the newest event is the last of its stream, of all tenants; of one time the one with the later id", async (t) => {
  const store = await storeWithStreams(t);
  const newest = async () => {
    const found = await store.read(newestEvent);
    return found === null ? null : { ...found };
  };
  const named = (event: ReturnType<typeof eventOf>) => {
    const { stream_event_id, event_hash, received_at } = event;
    return { stream_event_id, event_hash, received_at };
  };
  assert.equal(await newest(), null);
  const late = eventOf("str_bank_1", 1, { received_at: at(900), event_hash: hashNo(71) });
  const [last, other] = [eventOf("str_bank_1", 2, { received_at: at(901) }), eventOf("str_insurer_1", 1)];
  await record(store, BANK, [late]);
  await record(store, INSURER, [other]);
  assert.deepEqual(await newest(), named(late));
  await record(store, BANK, [last]);
  assert.deepEqual(await newest(), named(last));
  const same = eventOf("str_insurer_1", 2, { received_at: at(901) });
  await record(store, INSURER, [same]);
  assert.deepEqual(await newest(), named(same));
  // Nobody has a receipt of an event behind the head of its stream.
  await store.write((writer) => writer.run("UPDATE streams SET head_seq_no = 1 WHERE stream_id = 'str_insurer_1'"));
  assert.deepEqual(await newest(), named(last));
  // Only of streams with the latest time are events read: else every stream would make a start longer.
  await store.write((writer) =>
    writer.run("UPDATE streams SET last_received_at = $1 WHERE stream_id = 'str_bank_1'", at(900)),
  );
  assert.deepEqual(await newest(), named(other));
  const hashOf = (id: string) => store.read((reader) => findEventHash(reader, id));
  assert.deepEqual(
    [await hashOf(late.stream_event_id), await hashOf(other.stream_event_id), await hashOf("sev_none")],
    [hashNo(71), hashNo(1), null],
  );
});

test("the open streams are counted by tenant, and closed once", async (t) => {
  const store = await storeWithStreams(t);
  const open = async () =>
    plain(await store.read(openStreams)).toSorted((one, other) => (one.tenant_id < other.tenant_id ? -1 : 1));
  await store.write((writer) => writer.run("UPDATE streams SET closed_at = $1 WHERE stream_id = 'str_bank_1'", at(1)));
  const counts = [
    { tenant_id: BANK, streams: 5 },
    { tenant_id: INSURER, streams: 5 },
  ].toSorted((one, other) => (one.tenant_id < other.tenant_id ? -1 : 1));
  assert.deepEqual(await open(), counts);
  await store.write((writer) => closeAllStreams(writer, at(2)));
  assert.deepEqual(await open(), []);
  const closedAt = async (tenantId: string, id: string) =>
    (await store.read((reader) => findStream(reader, tenantId, id)))?.closed_at;
  assert.deepEqual([await closedAt(BANK, "str_bank_1"), await closedAt(INSURER, "str_insurer_2")], [at(1), at(2)]);
});

test("a mark beside a database without a deployment is of another one, or lost", async (t) => {
  const { database } = await storeUnderTest(t);
  const path = join(temporaryFolder(), "progress.json");
  const { stream_event_id, event_hash, received_at } = eventOf("str_bank_1", 1);
  const seen = { stream_event_id, event_hash, received_at };
  writeFileSync(path, JSON.stringify({ ...seen, origin: "origin.example" }));
  await assert.rejects(lossOf(path, database), DataFolderError);
  writeFileSync(path, JSON.stringify(seen));
  assert.deepEqual((await lossOf(path, database))?.detail, {
    lost_event_id: stream_event_id,
    lost_event_hash: event_hash,
  });
});

test("what was put back from a backup names no second file", async () => {
  const folder = temporaryFolder();
  const [first, configured] = [join(folder, "progress.json"), join(folder, "second.json")];
  noteRestored(first, at(1));
  assert.deepEqual(await secondPaths({ first, configured: null }), []);
  assert.equal(await missingFile({ first, configured: null }), null);
  assert.equal(await missingFile({ first, configured }), null);
  noteRestored(configured, at(1));
  assert.deepEqual(await secondPaths({ first, configured }), [configured]);
});

test("a second file that is named and gone is on the disk when a start has caught up", async (t) => {
  const store = await storeWithStreams(t);
  const event = eventOf("str_bank_1", 1);
  await record(store, BANK, [event]);
  const folder = temporaryFolder();
  const [path, secondPath] = [join(folder, "progress.json"), join(folder, "second.json")];
  const { stream_event_id, event_hash, received_at } = event;
  const seen = { stream_event_id, event_hash, received_at, origin: "origin.example" };
  writeFileSync(path, JSON.stringify({ ...seen, second_file: secondPath }));
  const onError = (error: unknown) => assert.fail(String(error));
  const mark = new HighWaterMark({ path, secondPath, origin: "origin.example", database: store.database, onError });
  await mark.catchUp();
  assert.deepEqual(await readMark(secondPath), { ...seen, second_file: null });
  await mark.close();
  assert.deepEqual(await readMark(path), { ...seen, second_file: secondPath });
});

test("a file is written anew each time, for its owner alone, and none stays open", async (t) => {
  const store = await storeWithStreams(t);
  const { database } = store;
  const folder = temporaryFolder();
  const [path, secondPath] = [join(folder, "progress.json"), join(folder, "second.json")];
  const faults: unknown[] = [];
  const options = {
    path,
    secondPath,
    origin: "origin.example",
    database,
    onError: (error: unknown) => faults.push(error),
  };
  const inodes = new Set<number>();
  for (const seqNo of [1, 2, 3]) {
    const mark = new HighWaterMark(options);
    const event = eventOf("str_bank_1", seqNo);
    await record(store, BANK, [event]);
    mark.note(event);
    await mark.close();
    inodes.add(statSync(path).ino);
    const { stream_event_id } = event;
    assert.deepEqual(
      [await readMark(path), await readMark(secondPath)].map(
        (seen) => seen !== null && "origin" in seen && seen.stream_event_id,
      ),
      [stream_event_id, stream_event_id],
    );
    assert.deepEqual([statSync(path).mode & 0o777, statSync(secondPath).mode & 0o777], [0o600, 0o600]);
  }
  assert.deepEqual([faults, readdirSync(folder).sort()], [[], ["progress.json", "second.json"]]);
  assert.ok(inodes.size > 1, "renamed over the one before");
  if (process.platform === "linux") assert.deepEqual(openIn(folder), []);
});

/** The files of a folder that this process has open. */
function openIn(folder: string): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      // The descriptor of the listing itself.
      return [];
    }
  });
}
