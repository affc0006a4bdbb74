/** Files of the archive that are missing, changed or foreign: refused by name, found by fsck, never a wrong answer. */
import assert from "node:assert/strict";
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { jobNamed } from "@svc/testkit/server/jobs";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { ArchiveFiles } from "../../src/archive/archive-files.ts";
import { type ArchiveMaker, archiveMakerOf } from "../../src/archive/archive-maker.ts";
import { noteLeaving } from "../../src/archive/archives-store.ts";
import { diagnoseArchive } from "../../src/archive/diagnose.ts";
import { FOLDER_ID } from "../../src/exports/shared-folder.ts";
import { checkArchived } from "../../src/packs/write-pack.ts";
import { eventsOfRange } from "../../src/streams/events-store.ts";
import { recordText } from "../../src/streams/receipt-records.ts";
import { append, contextUnderTest, ONE_STREAM, seal } from "../context-under-test.ts";
import { BANK, LOANS } from "../store-under-test.ts";
import { archive, archivedRanges, archiveFiles, faultsOf } from "./archiving.ts";

/** Resolves to a stream with three events, all of them sealed, and to what is served of them. */
async function sealed(t: TestContext) {
  const made = await contextUnderTest(t);
  const { context, store } = made;
  await append(context, LOANS, ONE_STREAM, 3);
  await seal(context, BANK, ONE_STREAM);
  const receipts = async () => {
    const rows = await store.read((reader) => eventsOfRange(reader, BANK, ONE_STREAM, 1, 9));
    return (await context.archived.restored(context.database, rows)).map(recordText);
  };
  const path = (name = "") => join(context.folder.archivePath, name);
  return { ...made, receipts, path };
}

test("a file that is missing, changed or another's is refused, and right again when it is back", async (t) => {
  const { context, store, receipts, path } = await sealed(t);
  const before = await receipts();
  await archive(context);
  const [name = ""] = archiveFiles(context);
  const original = readFileSync(path(name));
  const faults = async () => (await faultsOf(context)).map(({ table, fault }) => `${table}: ${fault}`);
  const refused = async (code: string) => {
    const error = await receipts().then(
      () => assert.fail("it is served"),
      (refusal) => refusal,
    );
    assert.deepEqual([error.code, error.details.file], [code, name]);
    assert.match(error.message, new RegExp(`^The archive file ${name}`));
  };

  renameSync(path(name), path("elsewhere"));
  await refused("archive_unavailable");
  assert.match((await faults()).join(), /^archives: its file is missing in /);
  const checked = () =>
    checkArchived(context, { tenantId: BANK, streamId: ONE_STREAM, range: { from_seq_no: 1, to_seq_no: 3 } });
  await assert.rejects(checked(), { code: "archive_unavailable" });

  const changed = Buffer.from(original);
  const at = changed.indexOf("granted", changed.indexOf('"payloads":{'));
  changed.write("refused", at);
  writeFileSync(path(name), changed);
  await refused("archive_damaged");
  await assert.rejects(checked(), { code: "archive_damaged" });
  assert.match((await faults()).join(), /^archives: its file was changed: it has the SHA-256 [0-9a-f]{64}$/);
  writeFileSync(path(name), original.subarray(0, 100));
  await refused("archive_damaged");
  writeFileSync(path(name), "{}");
  await refused("archive_damaged");

  rmSync(path(name));
  renameSync(path("elsewhere"), path(name));
  assert.deepEqual(await receipts(), before);
  assert.equal(await checked(), 3);
  assert.deepEqual(await faults(), []);

  // Another file of the server's, which the database does not name; foreign files are ignored.
  copyFileSync(path(name), path(ArchiveFiles.nameOf(ONE_STREAM, 1, 3, `bundle_${"0".repeat(26)}`)));
  writeFileSync(path("notes.txt"), "of the operator");
  assert.match((await faults()).join(), /^archives: the database does not name this file/);

  // A row that names another place, or another file, leads to no other payload.
  await store.write((writer) => writer.run("UPDATE archives SET places = REPLACE(places, '0', '1')"));
  await refused("archive_damaged");
  await store.write((writer) => writer.run("DELETE FROM archives"));
  await assert.rejects(receipts(), { code: "archive_damaged" });
  assert.match((await faults()).join(), /events: its payload is neither here nor in an archive file/);
});

test("a folder that is not the deployment's is not written, and said by doctor and fsck", async (t) => {
  const { context, path } = await sealed(t);
  await archive(context);
  await append(context, LOANS, ONE_STREAM, 1);
  await seal(context, BANK, ONE_STREAM);
  const found = async () => {
    const read = context.database.read.bind(context.database);
    const asked = { folder: context.folder, read: (_: string, look: Parameters<typeof read>[0]) => read(look) };
    return (await diagnoseArchive(asked as never)).map(({ state, says }) => `${state}: ${says}`).join();
  };
  assert.match(await found(), /^ok: 1 files with \d+ bytes in .* hold payloads of 3 events/);
  for (const spoil of [
    () => renameSync(path(FOLDER_ID), path("id")),
    () => writeFileSync(path(FOLDER_ID), "another"),
    () => renameSync(path(), `${path()}.away`),
  ]) {
    spoil();
    await assert.rejects(archive(context), /another folder than .*, or that is not mounted.*SVC_ARCHIVE/);
    assert.match(await found(), /^fail: .*not mounted.* It holds payloads of 3 events/);
    assert.ok((await faultsOf(context)).some(({ table }) => table === "archive_folder"));
    assert.deepEqual((await archivedRanges(context, ONE_STREAM)).here, [4]);
  }
  renameSync(`${path()}.away`, path());
  renameSync(path("id"), path(FOLDER_ID));
  await archive(context);
  assert.deepEqual((await archivedRanges(context, ONE_STREAM)).here, []);
});

test("totals that are not those of the ranges are found by fsck", async (t) => {
  const { context, store } = await sealed(t);
  await archive(context);
  assert.deepEqual(await faultsOf(context), []);
  for (const column of ["file_count", "byte_count", "event_count", "left_count"]) {
    const add = (by: number) =>
      store.write((writer) => writer.run(`UPDATE archive_folder SET ${column} = ${column} + $1`, by));
    await add(1);
    const [fault, ...others] = await faultsOf(context);
    assert.deepEqual([fault?.table, others], ["archive_folder", []]);
    assert.match(fault?.fault ?? "", /^\w+ is (\d+) and must be (\d+)$/);
    await add(-1);
  }
});

test("payloads stay in the database if the file is not the one that was verified, or does not verify", async (t) => {
  const { context, path } = await sealed(t);
  const real = archiveMakerOf(context);
  const spoiling = (spoil: (path: string) => void): ArchiveMaker => ({
    make: async (order, stop) => {
      const made = await real.make(order, stop);
      spoil(order.path);
      return made;
    },
  });
  const maker = spoiling((file) => writeFileSync(file, "another"));
  await assert.rejects(archive(context, { days: 0, maker }), /was changed: its payloads stay in the database/);
  assert.deepEqual((await archivedRanges(context, ONE_STREAM)).here, [1, 2, 3]);
  const [name = ""] = archiveFiles(context);
  rmSync(path(name));
  await assert.rejects(archive(context), /is not there: its payloads stay in the database/);
  assert.deepEqual((await archivedRanges(context, ONE_STREAM)).here, [1, 2, 3]);
});

test("a disk that is full while a file is written leaves nothing of it, and everything in the database", async (t) => {
  const { context, receipts } = await sealed(t);
  const before = await receipts();
  const maker: ArchiveMaker = {
    make: async ({ path: half }) => {
      writeFileSync(half, "half of it");
      throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    },
  };
  await assert.rejects(archive(context, { days: 0, maker }), { code: "ENOSPC" });
  assert.deepEqual(archiveFiles(context), []);
  assert.deepEqual((await archivedRanges(context, ONE_STREAM)).here, [1, 2, 3]);
  assert.deepEqual(await receipts(), before);
  await archive(context);
  assert.deepEqual(await receipts(), before);
  assert.deepEqual(await faultsOf(context), []);
});

test("a file that a killed server has left is removed, if the database noted it, and no range names it", async (t) => {
  const { context, store, path } = await sealed(t);
  await archive(context);
  const [name = ""] = archiveFiles(context);
  const left = ArchiveFiles.nameOf(ONE_STREAM, 4, 9, `bundle_${"0".repeat(26)}`);
  await store.write(async (writer) => {
    await noteLeaving(writer, left);
    await noteLeaving(writer, name);
  });
  writeFileSync(path(left), "whole");
  writeFileSync(path(`${left}.unfinished`), "half");
  assert.deepEqual(await faultsOf(context), []);
  assert.equal(await archive(context, { days: null }), true);
  assert.deepEqual(archiveFiles(context), [name]);
});

test("without the folder, receipts, packs, proofs and repeated requests get archive_unavailable; all else goes on", async (t) => {
  const { client, made, server } = await startServer(t);
  const { stream_id } = made;
  const { body } = await client.append(stream_id, loan(1), "first");
  await client.witnessed(stream_id, 1);
  const { context } = server.service;
  await jobNamed(server, "archive").stop();
  await archive(context);
  const { archivePath } = context.folder;
  const id = body.stream_event_id;
  const pack = (payloads: string) =>
    client.post(
      "/v2/audit/packs",
      { stream_id, from_seq_no: 1, to_seq_no: 1, payloads },
      { "idempotency-key": payloads },
    );
  const asked = () =>
    Promise.all([
      client.get(`/v2/receipts/${id}`),
      client.get(`/v2/receipts/${id}?portable=true`),
      client.get(`/v1/events/${id}/proof`),
      client.append(stream_id, loan(1), "first"),
      pack("included"),
    ]);
  renameSync(archivePath, `${archivePath}.away`);
  for (const { status, body: refusal } of await asked())
    assert.deepEqual([status, refusal.detail.code], [503, "archive_unavailable"]);
  assert.equal((await pack("redacted")).status, 201);
  assert.equal((await client.get(`/v2/streams/${stream_id}/events`)).status, 200);
  assert.equal((await client.append(stream_id, loan(2))).status, 201);
  renameSync(`${archivePath}.away`, archivePath);
  for (const { status } of await asked()) assert.ok(status < 300);
});

test("a pack with a damaged file anywhere is refused by name before it begins, and again until it is mended", async (t) => {
  const { client, made, server } = await startServer(t);
  const { stream_id } = made;
  const EVENTS = 600;
  const events = Array.from({ length: EVENTS }, (_, index) => loan(index + 1));
  assert.equal((await client.appendBatch(stream_id, events)).status, 201);
  await client.witnessed(stream_id, EVENTS);
  const { context } = server.service;
  await jobNamed(server, "archive").stop();
  while (await archive(context));
  const last = archiveFiles(context).at(-1) ?? "";
  const path = join(context.folder.archivePath, last);
  const original = readFileSync(path);
  const changed = Buffer.from(original);
  changed.write("refused", changed.lastIndexOf("granted"));
  writeFileSync(path, changed);
  const range = { stream_id, from_seq_no: 1, to_seq_no: EVENTS };
  const pack = (payloads = "included") =>
    client.post("/v2/audit/packs", { ...range, payloads }, { "idempotency-key": payloads });
  for (let asked = 0; asked < 2; asked++) {
    const { status, body } = await pack();
    assert.deepEqual([status, body.detail.code, body.detail.file], [500, "archive_damaged", last]);
  }
  const logged = () =>
    context.database.read((reader) => reader.all("SELECT 1 FROM access_log WHERE action = 'audit_pack.created'"));
  assert.equal((await logged()).length, 0);
  assert.equal((await pack("redacted")).status, 201);
  writeFileSync(path, original);
  assertVerified((await pack()).text, made.public_key_hex, "bundle");
  assert.equal((await logged()).length, 2);
});
