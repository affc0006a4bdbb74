/**
 * A full disk: writes are refused with their own code, nothing is recorded, and reading continues; once there is room,
 * everything does.
 */

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { systemClock } from "@svc/host/clock";
import { ON_FILE } from "@svc/testkit/drivers";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { mountSmallDisk, NO_SMALL_DISK } from "@svc/testkit/small-disk";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";
import { lossOf } from "../../src/high-water-mark/mark-file.ts";
import { kernel } from "../../src/kernel.ts";
import { serve } from "../../src/serving/serve.ts";
import { readConfig } from "../../src/settings/config.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";
import { readyExport, settledExport } from "../exports/export-client.ts";

const disk = temporaryFolder();
// failing-disk.slow.test.ts makes the system calls of a full disk fail, on every machine with strace.
const skip = ON_FILE.skip || (mountSmallDisk(disk, "8m") ? false : NO_SMALL_DISK);

test("a full disk", { skip }, async (t) => {
  const dataFolder = join(disk, "data");
  const made = await makeDeployment(dataFolder);
  const environment = { SVC_LOG_LEVEL: "silent", SVC_SEAL_INTERVAL_MS: "20", SVC_PORT: "0", SVC_DATA: dataFolder };
  const server = await serve(THIN_SERVER, readConfig(THIN_SERVER, environment), { kernel, clock: systemClock });
  t.after(() => server.close());
  const client = new Client(server.url, made.api_key ?? "");
  const { stream_id } = made;
  const events = Array.from({ length: 200 }, (_, index) => loan(index, { payload: { text: "x".repeat(10_000) } }));
  assert.equal((await client.append(stream_id, loan(1), "first")).status, 201);
  await client.witnessed(stream_id, 1);

  const filler = join(disk, "filler");
  assert.throws(() => writeFileSync(filler, Buffer.alloc(16 * 1024 * 1024)), { code: "ENOSPC" });
  for (const _ of [1, 2]) {
    const refused = await client.appendBatch(stream_id, events, "second");
    assert.deepEqual([refused.status, refused.body.detail.code], [503, "store_full"]);
    assert.deepEqual(Object.keys(refused.body.detail), ["code", "message"]);
    assert.doesNotMatch(refused.text, /sqlite|svc\.db|errcode|database or disk/i);
  }
  // The log still has free pages, which /ready uses up like any other writer.
  const unready = await until("/ready says so", async () => {
    const answer = await client.get("/ready");
    return answer.status === 503 ? answer : null;
  });
  assert.equal(unready.body.detail.code, "store_full");
  const head = await client.get(`/v2/streams/${stream_id}/head`);
  assert.deepEqual([head.status, head.body.seq_no], [200, 1]);
  assert.equal((await client.append(stream_id, loan(1), "first")).status, 201, "what repeats needs no room");

  rmSync(filler);
  const done = await until("there is room again", async () => {
    const answer = await client.appendBatch(stream_id, events, "second");
    return answer.status === 201 ? answer : null;
  });
  await until("/ready says that it is over", async () => ((await client.get("/ready")).status === 200 ? true : null));
  assert.deepEqual([done.body.receipts.length, done.body.receipts[0].seq_no], [200, 2]);
  await client.witnessed(stream_id, 201);
});

test("a disk that fills while events wait to be sealed: packs are refused, and sealing " +
  "and the note of progress go on " +
  "by themselves", {
  skip,
}, async (t) => {
  const dataFolder = join(disk, "sealing");
  const made = await makeDeployment(dataFolder);
  const environment = { SVC_LOG_LEVEL: "silent", SVC_SEAL_INTERVAL_MS: "20", SVC_PORT: "0", SVC_DATA: dataFolder };
  const server = await serve(THIN_SERVER, readConfig(THIN_SERVER, environment), { kernel, clock: systemClock });
  t.after(() => server.close());
  const client = new Client(server.url, made.api_key ?? "");
  const { stream_id } = made;
  const range = { stream_id, from_seq_no: 1, to_seq_no: 1 };
  await client.append(stream_id, loan(1));
  await client.witnessed(stream_id, 1);

  // Its window is due two seconds from now, and its number is noted a quarter of a second from now: by then there is no
  // room.
  const { body: last } = await client.append(stream_id, loan(2));
  const filler = join(disk, "filler");
  assert.throws(() => writeFileSync(filler, Buffer.alloc(16 * 1024 * 1024)), { code: "ENOSPC" });
  const { database } = server.service.context;
  // The log has some room left in its existing pages; the disk is full once that is used up.
  const big = { payload: { text: "x".repeat(200_000) } };
  await until("the log is full", async () => {
    const { status } = await client.append(stream_id, loan(3, big), "big");
    return status === 503 ? true : null;
  });
  const pack = await client.post("/v2/audit/packs", range);
  assert.ok(pack.status === 201 || pack.body.detail.code === "store_full", pack.text);
  assert.equal((await client.get("/health")).status, 200);

  rmSync(filler);
  await client.witnessed(stream_id, last.seq_no);
  assert.equal((await client.append(stream_id, loan(3, big), "big")).status, 201);
  await until("the last event is noted", async () => {
    const head = (await client.get(`/v2/streams/${stream_id}/head`)).body.stream_event_id;
    return (await lossOf(join(dataFolder, "progress.json"), database)) === null &&
      readFileSync(join(dataFolder, "progress.json"), "utf8").includes(head)
      ? true
      : null;
  });
  assert.equal((await client.post("/v2/audit/packs", range)).status, 201);
});

test("a full disk under the packages: the export fails with its reason, and no half file stays", {
  skip,
}, async (t) => {
  const dataFolder = join(temporaryFolder(), "data");
  const made = await makeDeployment(dataFolder);
  const folder = join(dataFolder, "exports");
  mkdirSync(folder);
  assert.ok(mountSmallDisk(folder, "400k"));
  const environment = { SVC_LOG_LEVEL: "silent", SVC_SEAL_INTERVAL_MS: "20", SVC_PORT: "0", SVC_DATA: dataFolder };
  const server = await serve(THIN_SERVER, readConfig(THIN_SERVER, environment), { kernel, clock: systemClock });
  t.after(() => server.close());
  const client = new Client(server.url, made.api_key ?? "");
  const { stream_id } = made;
  const large = Array.from({ length: 10 }, (_, index) => loan(index, { payload: { text: "x".repeat(50_000) } }));
  await client.append(stream_id, loan(11));
  await client.appendBatch(stream_id, large);
  await client.witnessed(stream_id, 11);
  const { body } = await client.post("/v1/exports", { streams: [stream_id] });
  const failed = await settledExport(client, body.export_id, "failed");
  assert.equal(failed.failure.code, "store_full");
  assert.deepEqual(readdirSync(folder), []);
  await readyExport(client, { streams: [stream_id], payloads: "redacted" });
});
