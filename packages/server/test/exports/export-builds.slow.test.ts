/** Builds of packages: erasures after a build, leftovers of crashes, ended builds, and ids that do not rise. */

import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { KEY_ACTIONS } from "@svc/api";
import { systemClock } from "@svc/host/clock";
import { Lease } from "@svc/host/jobs";
import { StoreUnavailable } from "@svc/host/store";
import { Client } from "@svc/testkit/server/client";
import { configOf } from "@svc/testkit/server/folder-database";
import { jobNamed } from "@svc/testkit/server/jobs";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { assertPackageVerified } from "@svc/testkit/server/verified";
import { until } from "@svc/testkit/until";
import { BuildExport } from "../../src/exports/build-export.ts";
import { keepChoice } from "../../src/exports/exports-store.ts";
import { PackageFiles } from "../../src/exports/package-files.ts";
import { newId } from "../../src/ids.ts";
import { kernel } from "../../src/kernel.ts";
import { MAX_EXPORT_BUILDS } from "../../src/limits.ts";
import { payloadsOfRange } from "../../src/packs/read-records.ts";
import { serve } from "../../src/serving/serve.ts";
import { eventsOfRange } from "../../src/streams/events-store.ts";
import { systemKeysOf } from "../../src/tenancy/system-keys.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";
import { download, follow, packagesIn, prepared, readyExport, settledExport } from "./export-client.ts";
import { watched } from "./watched-database.ts";

const PAYLOAD = { secret: "do-not-keep-me" };

/**
 * Resolves to a server with five witnessed events, one of them with a payload that can be found; its exports are built
 * only when a test says so.
 */
async function start(t: TestContext) {
  const here = await startServer(t);
  const { client, made, server } = here;
  const { context } = server.service;
  const systemKeys = systemKeysOf(context);
  const events = [1, 2, 3, 4, 5].map((number) => loan(number, number === 3 ? { payload: PAYLOAD } : {}));
  const { body } = await client.appendBatch(made.stream_id, events);
  await client.witnessed(made.stream_id, 5);
  const key = await context.database.write((writer) =>
    systemKeys.create(
      writer,
      { tenantId: made.tenant_id, systemId: made.system_id, limits: { actions: KEY_ACTIONS, streams: null } },
      { tenantId: made.tenant_id, kind: "service", id: "test", roles: [] },
    ),
  );
  const eraser = new Client(server.url, key);
  const erase = () =>
    eraser.post(`/v2/streams/${made.stream_id}/events/${body.receipts[2].stream_event_id}/erase`, { reason: "r" });
  const folder = join(made.data_folder, "exports");
  const holdsPayload = () =>
    packagesIn(folder).some((name) => readFileSync(join(folder, name)).includes(PAYLOAD.secret));
  const request = { streams: [made.stream_id] };
  return { ...here, context, erase, folder, holdsPayload, request, files: new PackageFiles(folder) };
}

/** Stops the server's own builder, and resolves to a lease under which the test builds. */
async function takeOver({ server, context }: Awaited<ReturnType<typeof start>>) {
  await jobNamed(server, "exports").stop();
  return newLease(context);
}

async function newLease(context: ConstructorParameters<typeof Lease>[0]) {
  const lease = new Lease(context, "exports");
  assert.equal(await lease.acquire(), true);
  return lease;
}

const never = new AbortController().signal;

/** Resolves to another server on the folder, as after a start. */
async function nextServer(t: TestContext, dataFolder: string) {
  const environment = { SVC_LOG_LEVEL: "silent", SVC_PORT: "0", SVC_DATA: dataFolder };
  const server = await serve(THIN_SERVER, await configOf(environment), { kernel, clock: systemClock });
  t.after(() => server.close());
  return server;
}

test("an erasure deletes the packages that hold the payload, and no others", async (t) => {
  const here = await start(t);
  const { client, made, erase, holdsPayload, request } = here;
  const whole = await readyExport(client, request);
  const redacted = await readyExport(client, { ...request, payloads: "redacted" });
  const others = await readyExport(client, { ...request, from_seq_no: 4 });
  const { path } = await prepared(client, whole.export_id);
  assert.ok(holdsPayload());
  assert.equal((await erase()).status, 200);
  const { deletion, package: known } = (await client.get(`/v1/exports/${whole.export_id}`)).body;
  assert.deepEqual([deletion.because, known], ["payload_erased", whole.package], "at once, and its hashes stay");
  assert.equal((await follow(client, path)).code, "export_deleted");
  await until("no file holds the payload", async () => (holdsPayload() ? null : true));
  for (const { export_id } of [redacted, others])
    assert.equal((await client.get(`/v1/exports/${export_id}`)).body.state, "ready");

  const { bytes } = await download(client, await readyExport(client, request));
  assert.equal(assertPackageVerified(bytes, made.public_key_hex).assurance.redacted, 1);
  assert.ok(!bytes.includes(PAYLOAD.secret));
});

test("an erasure ends a download under way", async (t) => {
  const { client, made, erase, request } = await start(t);
  const large = Array.from({ length: 100 }, (_, index) => loan(index, { payload: { text: "x".repeat(100_000) } }));
  await client.appendBatch(made.stream_id, large);
  await client.witnessed(made.stream_id, 105);
  const ready = await readyExport(client, request);
  const { path } = await prepared(client, ready.export_id);
  const reader = (await fetch(client.url + path)).body?.getReader();
  let received = (await reader?.read())?.value?.length ?? 0;
  assert.equal((await erase()).status, 200);
  await until("the file is gone", async () => {
    const { body } = await client.get(`/v1/exports/${ready.export_id}`);
    return body.state === "deleted" ? true : null;
  });
  const rest = async () => {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) return;
      received += value?.length ?? 0;
    }
  };
  await assert.rejects(rest(), /terminated|aborted/);
  assert.ok(received > 0 && received < ready.package.size_bytes);
});

test("a build that failed at its very end is begun again, and gives the same bytes", async (t) => {
  const here = await start(t);
  const { client, context, files, folder, request } = here;
  const lease = await takeOver(here);
  const { body } = await client.post("/v1/exports", request);
  let first: Buffer | null = null;
  const failing = watched(context.database, "write", async () => {
    const [name = ""] = packagesIn(folder).filter((one) => one.endsWith(".zip"));
    if (name === "") return;
    first = readFileSync(join(folder, name));
    throw new StoreUnavailable("the disk is gone for a moment");
  });
  const cutOff = new BuildExport({ ...context, database: failing }, files).build(lease, never, body.export_id);
  await assert.rejects(cutOff, StoreUnavailable);
  assert.deepEqual(packagesIn(folder), []);
  // More evidence is added meanwhile, and changes nothing.
  await client.append(here.made.stream_id, loan(6));
  await client.witnessed(here.made.stream_id, 6);
  assert.notEqual(await new BuildExport(context, files).build(lease, never, body.export_id), null);
  const { bytes } = await download(client, await settledExport(client, body.export_id, "ready"));
  assert.deepEqual(bytes, first);
});

test("a build is stopped with the server and begun again by the next one; it does not count", async (t) => {
  const here = await start(t);
  const { client, context, files, folder, request } = here;
  const lease = await takeOver(here);
  const { body } = await client.post("/v1/exports", request);
  const stop = new AbortController();
  stop.abort();
  for (let time = 0; time <= MAX_EXPORT_BUILDS; time++)
    assert.equal(await new BuildExport(context, files).build(lease, stop.signal, body.export_id), null);
  assert.deepEqual(packagesIn(folder), []);
  assert.equal((await client.get(`/v1/exports/${body.export_id}`)).body.state, "queued");
  assert.notEqual(await new BuildExport(context, files).build(lease, never, body.export_id), null);
  await settledExport(client, body.export_id, "ready");
});

test("an export whose builds never end is given up (MAX_EXPORT_BUILDS)", async (t) => {
  const here = await start(t);
  const { client, made, context, request } = here;
  await (await takeOver(here)).release();
  const { body } = await client.post("/v1/exports", request);
  await context.database.write((writer) =>
    writer.run("UPDATE exports SET state = 'building', attempts = $1", MAX_EXPORT_BUILDS),
  );
  const next = await nextServer(t, made.data_folder);
  const { failure } = await settledExport(new Client(next.url, client.key), body.export_id, "failed");
  assert.equal(failure.code, "internal_error");
});

test("an export whose events are not all there fails, and leaves nothing", async (t) => {
  const here = await start(t);
  const { client, context, folder, request } = here;
  await jobNamed(here.server, "exports").stop();
  assert.equal((await client.post("/v1/exports", request)).status, 201);
  await context.database.write((writer) => writer.run("DELETE FROM events WHERE seq_no = 4"));
  await nextServer(t, here.made.data_folder);
  const [{ export_id }] = (await client.get("/v1/exports")).body.items;
  const { failure } = await settledExport(client, export_id, "failed");
  assert.equal(failure.code, "internal_error");
  await until("nothing is left", async () => (packagesIn(folder).length === 0 ? true : null));
});

test("an export fails for want of the evidence that was chosen for it, and leaves nothing", async (t) => {
  const here = await start(t);
  const { client, made, context, folder, request } = here;
  await jobNamed(here.server, "exports").stop();
  const { export_id } = (await client.post("/v1/exports", request)).body;
  const chosen = { bundle_id: newId("bundle"), window_count: 99, statements: [] };
  await context.database.write((writer) => keepChoice(writer, export_id, made.stream_id, chosen));
  await nextServer(t, made.data_folder);
  const { failure } = await settledExport(client, export_id, "failed");
  assert.equal(failure.code, "evidence_missing");
  await until("nothing is left", async () => (packagesIn(folder).length === 0 ? true : null));
});

test("at its start a server sweeps away what no package is, and notices packages that are gone", async (t) => {
  const { client, made, server, folder, request } = await start(t);
  const [here, gone] = [await readyExport(client, request), await readyExport(client, request)];
  await Promise.all(server.service.jobs.map((job) => job.stop()));
  for (const name of ["exp_x.1.zip", `${here.export_id}.7.zip`, `${here.export_id}.1.zip.archive.unfinished`])
    writeFileSync(join(folder, name), PAYLOAD.secret);
  rmSync(join(folder, `${gone.export_id}.1.zip`));
  const next = await nextServer(t, made.data_folder);
  const again = new Client(next.url, client.key);
  assert.equal((await settledExport(again, gone.export_id, "deleted")).deletion.because, "lost");
  assert.deepEqual(packagesIn(folder), [`${here.export_id}.1.zip`]);
  await download(again, (await again.get(`/v1/exports/${here.export_id}`)).body);
});

test("payloads come in the order of their ids, also where those do not rise with the numbers", async (t) => {
  const { client, made, context } = await start(t);
  await client.appendBatch(
    made.stream_id,
    Array.from({ length: 245 }, (_, index) => loan(index + 6)),
  );
  // The clock seems to have been set back twice: there are three runs of rising ids, one inside of another.
  await context.database.write(async (writer) => {
    await writer.run(
      "UPDATE events SET stream_event_id = 'x' || (1000 + (seq_no % 3) * 100 + seq_no * 7 % 900) || seq_no",
    );
    await writer.run("UPDATE events SET payload = NULL, payload_salt = NULL WHERE seq_no % 10 = 0");
  });
  const rows = await context.database.read((reader) => eventsOfRange(reader, made.tenant_id, made.stream_id, 2, 249));
  const expected = rows.filter(({ payload }) => payload !== null).map((row) => [row.stream_event_id, row.payload_salt]);
  const actual: unknown[] = [];
  const range = { from_seq_no: 2, to_seq_no: 249 };
  for await (const portion of payloadsOfRange(context, { ...made } as never, range))
    for (const [id, { payload_salt }] of Object.entries(portion)) actual.push([id, payload_salt]);
  assert.deepEqual(actual, expected.toSorted());
});
