/** The file of the last event: its content, the refusal of damage, and that it never falls behind a noted event. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { HashHex } from "@svc/core";
import { serviceTime } from "@svc/host/clock";
import { type Database, openSqlite, StoreUnavailable } from "@svc/host/store";
import { newDatabase, ON_FILE } from "@svc/testkit/drivers";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";
import { DataFolderError } from "../../src/data-folder/data-folder.ts";
import { lockFile, lockFolder } from "../../src/data-folder/folder-lock.ts";
import { HighWaterMark, type NoteOptions } from "../../src/high-water-mark/high-water-mark.ts";
import {
  forgetMark,
  lossOf,
  noteRestored,
  readMark,
  refuseLoss,
  requireOwnMark,
} from "../../src/high-water-mark/mark-file.ts";
import { closeAllStreams, findEventHash, newestEvent, openStreams } from "../../src/high-water-mark/mark-store.ts";
import { missingFile } from "../../src/high-water-mark/second-file.ts";

const ORIGIN = "demo.example";
const SEEN = { stream_event_id: "sev_1", event_hash: "a".repeat(64) as HashHex, received_at: serviceTime(1000) };
const WHOLE = { ...SEEN, origin: ORIGIN, second_file: null };
/** The form that is written if no second file is kept. */
const WRITTEN = { ...SEEN, origin: ORIGIN };

function markPath(): string {
  return join(temporaryFolder(), "progress.json");
}

/** Returns notes in one file; by default an error fails the test. */
function notesOf(path: string, changes: Partial<NoteOptions> = {}): HighWaterMark {
  const onError = (error: unknown) => assert.fail(String(error));
  const database = { read: () => Promise.reject(new Error("no database is read")) };
  return new HighWaterMark({ path, secondPath: null, origin: ORIGIN, database, onError, ...changes });
}

function isDamage(error: unknown): boolean {
  return error instanceof DataFolderError && /is damaged/.test(error.message);
}

test("the file is what was written, or damaged; without one nothing has been recorded", async () => {
  const path = markPath();
  assert.equal(await readMark(path), null);
  const goods: [object, object][] = [
    [WHOLE, WHOLE],
    [WRITTEN, WHOLE],
    [
      { ...WHOLE, second_file: "/mnt/progress.json" },
      { ...WHOLE, second_file: "/mnt/progress.json" },
    ],
    [SEEN, { ...SEEN, origin: null, second_file: null }],
    [{ ...WHOLE, more: 1 }, WHOLE],
    [{ restored_backup_of: SEEN.received_at, more: 1 }, { restored_backup_of: SEEN.received_at }],
  ];
  for (const [written, read] of goods) {
    writeFileSync(path, JSON.stringify(written));
    assert.deepEqual(await readMark(path), read);
  }
  const spoiled = Object.keys(WRITTEN).flatMap((name) => [
    { ...WHOLE, [name]: 1 },
    { ...WHOLE, [name]: {} },
  ]);
  const { event_hash: _hash, ...without } = WHOLE;
  for (const value of [...spoiled, without, null, 1, "text", [], {}, { restored_backup_of: 1 }]) {
    writeFileSync(path, JSON.stringify(value));
    await assert.rejects(readMark(path), isDamage, JSON.stringify(value));
  }
  for (const text of ["", "{", JSON.stringify(WHOLE).slice(0, -1)]) {
    writeFileSync(path, text);
    await assert.rejects(readMark(path), isDamage, text);
  }
  rmSync(path);
  mkdirSync(path);
  await assert.rejects(readMark(path), { code: "EISDIR" });
});

test("the file of another deployment is refused; that of an earlier release has no origin", () => {
  requireOwnMark("progress.json", WHOLE, ORIGIN);
  requireOwnMark("progress.json", { ...SEEN, origin: null, second_file: null }, ORIGIN);
  assert.throws(() => requireOwnMark("progress.json", WHOLE, "other.example"), DataFolderError);
});

/** Resolves to a server that has recorded an event, and a new file. */
async function recorded(t: TestContext) {
  const { server, client, made } = await startServer(t);
  const { body } = await client.append(made.stream_id, loan(1));
  const { database } = server.service.context;
  const { stream_event_id, event_hash, received_at } = body;
  return { database, client, made, event: { stream_event_id, event_hash, received_at }, path: markPath() };
}

test("a restored backup may lack something, whatever the database holds", async (t) => {
  const { database, path } = await recorded(t);
  assert.equal(await lossOf(path, database), null);
  noteRestored(path, SEEN.received_at);
  const loss = await lossOf(path, database);
  assert.deepEqual(loss?.detail, { restored_backup_of: SEEN.received_at });
  assert.match(loss?.words ?? "", new RegExp(`backup of ${SEEN.received_at}`));
  assert.throws(() => refuseLoss(loss), /backup of .* run "accept-loss"/);
  await forgetMark(path);
  assert.equal(await lossOf(path, database), null);
  await forgetMark(path);
});

test("a database that lacks the noted event, or goes on from another one of its name, has lost something", async (t) => {
  const { database, event, made, path } = await recorded(t);
  const lossBeside = (changes: object) => {
    writeFileSync(path, JSON.stringify({ ...event, origin: made.origin, ...changes }));
    return lossOf(path, database);
  };
  assert.equal(await lossBeside({}), null);
  const other = await lossBeside({ event_hash: SEEN.event_hash });
  assert.deepEqual(other?.detail, { lost_event_id: event.stream_event_id, lost_event_hash: SEEN.event_hash });
  assert.match(other?.words ?? "", /is in it with another hash, so that it goes on from another history\./);
  const absent = await lossBeside({ stream_event_id: SEEN.stream_event_id });
  assert.deepEqual(absent?.detail, { lost_event_id: SEEN.stream_event_id, lost_event_hash: event.event_hash });
  assert.match(absent?.words ?? "", new RegExp(`event sev_1, recorded ${event.received_at} .* is not in it\\.`));
  await assert.rejects(
    lossBeside({ origin: "other.example" }),
    /is of another deployment, other\.example, and this one/,
  );
});

test(
  "a database that was copied by hand out of a backup is refused, whatever is noted beside it",
  ON_FILE,
  async (t) => {
    const { database, path } = await recorded(t);
    const { file } = (await database.read((reader) => reader.first<{ file: string }>("PRAGMA database_list"))) ?? {};
    const original = openSqlite(file ?? "");
    t.after(() => original.close());
    original.copyTo(`${path}.db`);
    const copy = openSqlite(`${path}.db`);
    t.after(() => copy.close());
    await assert.rejects(lossOf(path, copy), /was copied by hand out of a backup.* Run "restore --from/);
  },
);

test("a file catches up with the newest event of the database, and never goes back", async (t) => {
  const { database, event, made, path } = await recorded(t);
  const after = async (before: object | null) => {
    rmSync(path, { force: true });
    if (before !== null) writeFileSync(path, JSON.stringify(before));
    const file = notesOf(path, { origin: made.origin, database });
    await file.catchUp();
    await file.close();
    return JSON.parse(readFileSync(path, "utf8"));
  };
  const newest = { ...event, origin: made.origin };
  const shifted = (by: number) => ({ ...WHOLE, received_at: serviceTime(Date.parse(event.received_at) + by) });
  assert.deepEqual(await after(null), newest);
  assert.deepEqual(await after(shifted(-1)), newest);
  for (const by of [0, 1]) assert.deepEqual(await after(shifted(by)), shifted(by));
  const restored = { restored_backup_of: SEEN.received_at };
  assert.deepEqual(await after(restored), restored);
});

test("a database must keep the event that was found in it, also when nothing has been noted since", async (t) => {
  const { database, event, made, path } = await recorded(t);
  writeFileSync(path, JSON.stringify({ ...event, origin: made.origin }));
  const file = notesOf(path, { origin: made.origin, database });
  const empty = await newDatabase(t);
  await empty.write((writer) => writer.script("CREATE TABLE events (stream_event_id TEXT, event_hash TEXT)"));
  const required = (of: Database) => of.read(file.latestRequired());
  await required(empty);
  await file.catchUp();
  await required(database);
  await assert.rejects(required(empty), StoreUnavailable);
  const before = file.latestRequired();
  file.note({ ...SEEN, stream_event_id: "sev_later" });
  await database.read(before);
  await assert.rejects(required(database), StoreUnavailable);
  await file.close();
});

test("nothing is written of an empty database, and nothing before something was noted", async (t) => {
  const { server, made } = await startServer(t);
  const path = markPath();
  const file = notesOf(path, { origin: made.origin, database: server.service.context.database });
  await file.catchUp();
  await file.close();
  assert.equal(existsSync(path), false);
});

test("the last of several notes is written, by itself or at the end, readable by the owner only", async () => {
  const path = markPath();
  const file = notesOf(path);
  file.note({ ...SEEN, stream_event_id: "sev_0" });
  file.note(SEEN);
  await until("it is written", async () => (existsSync(path) ? true : null));
  assert.equal(readFileSync(path, "utf8"), `${JSON.stringify(WRITTEN)}\n`);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const before = statSync(path).ino;
  await file.close();
  assert.equal(statSync(path).ino, before, "it is not written again");

  const other = notesOf(path);
  other.note({ ...SEEN, stream_event_id: "sev_2" });
  await other.close();
  assert.equal(JSON.parse(readFileSync(path, "utf8")).stream_event_id, "sev_2");
  assert.deepEqual(readdirSync(join(path, "..")), ["progress.json"]);
});

test("a file that cannot be written is reported, and what was noted is written once it can be", async () => {
  const folder = join(temporaryFolder(), "not there yet");
  const path = join(folder, "progress.json");
  const errors: unknown[] = [];
  const file = notesOf(path, { onError: (error) => errors.push(error) });
  file.note(SEEN);
  await until("the fault is reported", async () => (errors.length > 0 ? true : null));
  mkdirSync(folder);
  await file.close();
  assert.deepEqual(await readMark(path), WHOLE);
  assert.deepEqual(
    errors.map((error) => (error as NodeJS.ErrnoException).code),
    ["ENOENT"],
  );
});

test("a second file that could not be written is not named until it is there", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "progress.json");
  const secondPath = join(folder, "not mounted", "second.json");
  const errors: unknown[] = [];
  const file = notesOf(path, { secondPath, onError: (error) => errors.push(error) });
  file.note(SEEN);
  await until("the fault is reported", async () => (errors.length > 0 ? true : null));
  assert.deepEqual(await readMark(path), WHOLE);
  mkdirSync(join(folder, "not mounted"));
  await file.close();
  assert.deepEqual(await readMark(secondPath), WHOLE);
  assert.deepEqual(await readMark(path), { ...WHOLE, second_file: secondPath });
});

test("an old copy of the second file does not stand in for one that is gone; one that was kept until now does", async () => {
  const folder = temporaryFolder();
  const [first, kept, configured] = ["progress.json", "kept.json", "configured.json"].map((name) => join(folder, name));
  assert.ok(first !== undefined && kept !== undefined && configured !== undefined);
  const places = { first, configured };
  writeFileSync(first, JSON.stringify({ ...WHOLE, second_file: kept }));
  assert.equal(await missingFile(places), kept);
  writeFileSync(configured, JSON.stringify({ ...WRITTEN, received_at: serviceTime(999) }));
  assert.equal(await missingFile(places), kept);
  writeFileSync(configured, JSON.stringify(WRITTEN));
  assert.equal(await missingFile(places), null);
});

test("a folder has one server, and its lock is free again when that is gone", () => {
  const folder = temporaryFolder();
  const release = lockFolder(folder);
  assert.throws(() => lockFolder(folder), /^DataFolderError: Another svc-server serves/);
  assert.throws(() => lockFile(join(folder, "server.lock"), "in my words"), /^DataFolderError: in my words$/);
  release();
  assert.deepEqual(readdirSync(folder), ["server.lock"]);
  assert.equal(statSync(join(folder, "server.lock")).mode & 0o777, 0o600);
  writeFileSync(join(folder, "server.lock"), "x".repeat(100), { mode: 0o644 });
  assert.throws(() => lockFolder(folder), /not a database/);
});

test("the newest event and its hash are found in any stream, and all streams are closed at once", async (t) => {
  const { database, client, made, event } = await recorded(t);
  assert.deepEqual({ ...(await database.read(newestEvent)) }, event);
  const { system_id } = made;
  const request = { system_id, use_case: "x", policy_id: "default", metadata: {} };
  const { body: stream } = await client.post("/v2/streams", request);
  assert.deepEqual({ ...(await database.read(newestEvent)) }, event);
  const { body: later } = await client.append(stream.stream_id, loan(2));
  assert.equal((await database.read(newestEvent))?.stream_event_id, later.stream_event_id);
  const hash = (id: string) => database.read((reader) => findEventHash(reader, id));
  assert.deepEqual([await hash(event.stream_event_id), await hash("sev_none")], [event.event_hash, null]);

  const open = async () => (await database.read(openStreams)).map((row) => ({ ...row }));
  assert.deepEqual(await open(), [{ tenant_id: made.tenant_id, streams: 2 }]);
  await database.write((writer) => closeAllStreams(writer, serviceTime(1)));
  await database.write((writer) => closeAllStreams(writer, serviceTime(2)));
  assert.deepEqual(await open(), []);
  const rows = await database.read((reader) => reader.all<{ closed_at: string }>("SELECT closed_at FROM streams"));
  assert.deepEqual(
    rows.map(({ closed_at }) => closed_at),
    [serviceTime(1), serviceTime(1)],
  );
});
