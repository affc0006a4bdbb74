/**
 * The second file of the last event: the findings of a start, the refusals, and that two copies of one deployment
 * cannot share it unnoticed.
 */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { HashHex } from "@svc/core";
import { serviceTime } from "@svc/host/clock";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { HighWaterMark, type NoteOptions } from "../../src/high-water-mark/high-water-mark.ts";
import { lossOfEither, missingFile, requireBoth, secondPaths } from "../../src/high-water-mark/second-file.ts";

/** Resolves to a database with one event, and a folder with places for files that name it. */
async function recorded(t: TestContext) {
  const { server, client, made } = await startServer(t);
  const { body } = await client.append(made.stream_id, loan(1));
  const { stream_event_id, event_hash, received_at } = body;
  const folder = temporaryFolder();
  const [first, kept, configured] = ["progress.json", "kept.json", "configured.json"].map((name) => join(folder, name));
  assert.ok(first !== undefined && kept !== undefined && configured !== undefined);
  const own = { stream_event_id, event_hash, received_at, origin: made.origin };
  const put = (path: string, value: object) => writeFileSync(path, `${JSON.stringify(value)}\n`);
  return { database: server.service.context.database, client, made, own, folder, first, kept, configured, put };
}

const UNKNOWN = { stream_event_id: "sev_unknown" };
const KEEP = { renew: false };
const RENEW = { renew: true };

test("a second file that was never kept is made without being asked for, and said where something was recorded", async (t) => {
  const { database, own, first, configured, put } = await recorded(t);
  const start = (path: string | null) => requireBoth({ first, configured: path }, database, KEEP);
  assert.deepEqual(await start(null), { path: null, notice: null });
  assert.deepEqual(await start(configured), { path: configured, notice: null });
  put(first, own);
  assert.deepEqual(await start(null), { path: null, notice: null });
  const notice = `${configured} was not there, and is made now.`;
  assert.deepEqual(await start(configured), { path: configured, notice });
  put(configured, own);
  assert.deepEqual(await start(configured), { path: configured, notice: null });
});

test("a second file that is kept goes on being kept, and one that is gone is refused unless it is renewed", async (t) => {
  const { database, own, first, kept, configured, put } = await recorded(t);
  const start = (path: string | null, how = KEEP) => requireBoth({ first, configured: path }, database, how);
  put(first, { ...own, second_file: kept });
  for (const path of [null, configured, kept]) {
    const refusal = new RegExp(`${kept} is not there, and progress.json says .* start --renew-progress-file`);
    await assert.rejects(start(path), { name: "DataFolderError", message: refusal });
  }
  assert.deepEqual(await start(null, RENEW), { path: null, notice: null });
  const notice = (path: string) => `${path} was not there, and is made now.`;
  assert.deepEqual(await start(configured, RENEW), { path: configured, notice: notice(configured) });
  assert.deepEqual(await start(kept, RENEW), { path: kept, notice: notice(kept) });
  put(kept, own);
  const found = await start(null);
  assert.equal(found.path, kept);
  assert.match(
    found.notice ?? "",
    /^SVC_PROGRESS_FILE is not set, and .*kept\.json is kept on, as progress\.json says\./,
  );
  assert.deepEqual(await start(kept), { path: kept, notice: null });
});

test("a database that lacks what any of the files names is refused, and the loss is named", async (t) => {
  const { database, own, first, kept, configured, put } = await recorded(t);
  const places = { first, configured };
  const lossWith = async (files: Readonly<Record<string, object>>) => {
    for (const path of [first, kept, configured]) rmSync(path, { force: true });
    for (const [path, value] of Object.entries(files)) put(path, value);
    const loss = await lossOfEither(places, database);
    const start = requireBoth(places, database, KEEP);
    if (loss === null) await start;
    else await assert.rejects(start, { name: "DataFolderError" });
    return loss?.detail ?? null;
  };
  const named = { ...own, second_file: kept };
  const lost = { lost_event_id: UNKNOWN.stream_event_id, lost_event_hash: own.event_hash };
  assert.equal(await lossWith({}), null);
  assert.equal(await lossWith({ [first]: named, [kept]: own, [configured]: own }), null);
  assert.deepEqual(await lossWith({ [first]: { ...own, ...UNKNOWN } }), lost);
  assert.deepEqual(await lossWith({ [first]: named, [kept]: { ...own, ...UNKNOWN }, [configured]: own }), lost);
  assert.deepEqual(await lossWith({ [first]: named, [kept]: own, [configured]: { ...own, ...UNKNOWN } }), lost);
  assert.deepEqual(await lossWith({ [configured]: { ...own, ...UNKNOWN } }), lost);
  assert.deepEqual(await lossWith({ [first]: named }), { missing_progress_file: kept });
  const words = (await lossOfEither(places, database))?.words ?? "";
  assert.match(words, /kept\.json, which is kept beside progress\.json, is not there/);
});

test("only second files that are there are read, each once, that of the setting first", async (t) => {
  const { own, first, kept, configured, put } = await recorded(t);
  const places = { first, configured };
  assert.deepEqual(await secondPaths(places), []);
  put(configured, own);
  assert.deepEqual(await secondPaths(places), [configured]);
  assert.deepEqual(await secondPaths({ first, configured: null }), []);
  put(first, { ...own, second_file: kept });
  assert.deepEqual(await secondPaths(places), [configured]);
  put(kept, own);
  assert.deepEqual(await secondPaths(places), [configured, kept]);
  assert.deepEqual(await secondPaths({ first, configured: kept }), [kept]);
  put(first, { restored_backup_of: own.received_at, second_file: kept });
  assert.deepEqual(await secondPaths(places), [configured]);
});

test("what was put back from a backup stands in for no file that is gone", async (t) => {
  const { own, first, kept, configured, put } = await recorded(t);
  put(first, { ...own, second_file: kept });
  put(configured, { restored_backup_of: own.received_at });
  assert.equal(await missingFile({ first, configured }), kept);
  put(kept, own);
  assert.equal(await missingFile({ first, configured }), null);
});

/** Returns notes in both files, and the errors that they report. */
function notesIn(
  { database, first, configured, made }: Awaited<ReturnType<typeof recorded>>,
  changes: Partial<NoteOptions> = {},
) {
  const faults: string[] = [];
  const options = { path: first, secondPath: configured, origin: made.origin, database };
  const onError = (error: unknown) => faults.push(String(error));
  return { notes: new HighWaterMark({ ...options, onError, ...changes }), faults };
}

const read = (path: string) => JSON.parse(readFileSync(path, "utf8"));

test("a start writes the second file before it goes on, and both files where they are behind", async (t) => {
  const at = await recorded(t);
  const { own, first, configured, put } = at;
  const named = { ...own, second_file: configured };
  const early = { ...own, ...UNKNOWN, received_at: serviceTime(1) };
  const starting = async (files: Readonly<Record<string, object>>) => {
    for (const path of [first, configured]) rmSync(path, { force: true });
    for (const [path, value] of Object.entries(files)) put(path, value);
    const { notes, faults } = notesIn(at);
    await notes.catchUp();
    const atOnce = existsSync(configured) ? read(configured) : null;
    await notes.close();
    assert.deepEqual(faults, []);
    return atOnce;
  };
  assert.deepEqual(await starting({}), own);
  assert.deepEqual(read(first), named);
  assert.equal(statSync(configured).mode & 0o777, 0o600);
  assert.deepEqual(await starting({ [first]: own }), own);
  assert.deepEqual(read(first), named);
  // The database knows only the event of the first file to be older; the second one is replaced a moment later.
  await starting({ [first]: named, [configured]: { ...own, received_at: serviceTime(1) } });
  assert.deepEqual(read(configured), own);
  await starting({ [first]: { ...early, second_file: configured }, [configured]: own });
  assert.deepEqual(read(first), named);

  await starting({ [first]: named, [configured]: own });
  const before = [first, configured].map((path) => statSync(path).ino);
  const { notes } = notesIn(at);
  await notes.catchUp();
  await notes.close();
  assert.deepEqual(
    [first, configured].map((path) => statSync(path).ino),
    before,
    "what is up to date is not written",
  );

  assert.equal(await starting({ [first]: { restored_backup_of: own.received_at } }), null);
  assert.equal(existsSync(configured), false);
});

test("a start without a second file makes none, and takes its name out of the first", async (t) => {
  const at = await recorded(t);
  const { own, first, configured, put } = at;
  put(first, { ...own, second_file: configured });
  const { notes, faults } = notesIn(at, { secondPath: null });
  await notes.catchUp();
  await notes.close();
  assert.deepEqual([faults, existsSync(configured), read(first)], [[], false, own]);
});

test("another copy of the deployment that writes to the second file is reported, and not written over", async (t) => {
  const at = await recorded(t);
  const { own, first, configured, put, client, made } = at;
  const noteBeside = async (value: object) => {
    put(configured, value);
    const { notes, faults } = notesIn(at);
    notes.note(own);
    await notes.close();
    return faults;
  };
  for (const other of [
    { ...own, ...UNKNOWN },
    { ...own, event_hash: "0".repeat(64) },
  ]) {
    const faults = await noteBeside(other);
    assert.equal(faults.length, 1);
    assert.match(faults[0] ?? "", /which this database has not: another copy of this deployment runs and writes there/);
    assert.deepEqual([read(configured), read(first)], [other, { ...own, second_file: configured }]);
  }
  const [foreign = ""] = await noteBeside({ ...own, origin: "other.example" });
  assert.match(foreign, /DataFolderError: .* is of another deployment, other\.example/);

  const { body: later } = await client.append(made.stream_id, loan(2));
  const { stream_event_id, event_hash, received_at } = later;
  for (const fine of [{ stream_event_id, event_hash, received_at, origin: made.origin }, { restored_backup_of: "x" }]) {
    assert.deepEqual(await noteBeside(fine), []);
    assert.deepEqual(read(configured), own);
  }
});

test("its own second file is written again without asking the database", async (t) => {
  const at = await recorded(t);
  const { own, first, configured } = at;
  const database = { read: () => Promise.reject(new Error("no database is read")) };
  const { notes, faults } = notesIn(at, { database });
  notes.note(own);
  await soon(() => existsSync(first));
  notes.note({ ...own, ...UNKNOWN });
  await notes.close();
  assert.deepEqual(faults, []);
  assert.deepEqual(read(configured), { ...own, ...UNKNOWN });
});

test("a second file that cannot be read is a fault, and the first is written all the same", async (t) => {
  const at = await recorded(t);
  const { own, first, configured } = at;
  mkdirSync(configured);
  const { notes, faults } = notesIn(at);
  notes.note(own);
  await notes.close();
  assert.equal(faults.length, 1);
  assert.match(faults[0] ?? "", /EISDIR/);
  assert.deepEqual(read(first), { ...own, second_file: configured });
});

test("where the second file cannot be written, the first names the one that it named", async (t) => {
  const at = await recorded(t);
  const { own, folder, first, kept, put } = at;
  put(first, { ...own, second_file: kept });
  const { notes, faults } = notesIn(at, { secondPath: join(folder, "not mounted", "second.json") });
  notes.note(own);
  await notes.close();
  assert.match(faults.join(), /ENOENT/);
  assert.deepEqual(read(first), { ...own, second_file: kept });
});

/** Returns notes of one event in a folder that does not exist yet, under a clock that the test moves. */
function notedTooEarly(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const missing = join(temporaryFolder(), "not there yet");
  const path = join(missing, "progress.json");
  const faults: unknown[] = [];
  const onError = (error: unknown) => faults.push(error);
  const database = { read: () => Promise.reject(new Error("no database is read")) };
  const notes = new HighWaterMark({ path, secondPath: null, origin: "demo.example", database, onError });
  const seen = { stream_event_id: "sev_1", event_hash: "a".repeat(64) as HashHex, received_at: serviceTime(1000) };
  notes.note(seen);
  return { missing, path, faults, notes, seen };
}

test("what could not be written is tried again by itself", async (t) => {
  const { missing, path, faults, seen, notes } = notedTooEarly(t);
  t.mock.timers.tick(249);
  await setImmediate();
  assert.deepEqual(faults, []);
  t.mock.timers.tick(1);
  await soon(() => faults.length > 0);
  mkdirSync(missing);
  t.mock.timers.tick(4_999);
  await setImmediate();
  assert.equal(existsSync(path), false);
  t.mock.timers.tick(1);
  await soon(() => existsSync(path));
  assert.deepEqual(read(path), { ...seen, origin: "demo.example" });
  await notes.close();
  assert.equal(faults.length, 1);
});

test("nothing is tried again after the end", async (t) => {
  const { missing, path, faults, notes } = notedTooEarly(t);
  await notes.close();
  assert.equal(faults.length, 1);
  mkdirSync(missing);
  t.mock.timers.tick(60_000);
  for (let turns = 0; turns < 100; turns++) await setImmediate();
  assert.equal(existsSync(path), false);
});

/** Lets other work continue until a condition holds. */
async function soon(isSo: () => boolean): Promise<void> {
  for (let turns = 0; turns < 1_000_000 && !isSo(); turns++) await setImmediate();
  assert.ok(isSo());
}
