/**
 * Packages made on a separate thread: the same bytes as anywhere, whatever happens to the build, its thread or its
 * process meanwhile. A test holds a build where its thread asks for the first signature: the table and the proofs are
 * then on the disk, with payloads.
 */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Worker } from "node:worker_threads";
import { KEY_ACTIONS } from "@svc/api";
import { MAX_PAYLOAD_BYTES } from "@svc/api/limits";
import { Lease, LeaseLost } from "@svc/host/jobs";
import { StoreUnavailable } from "@svc/host/store";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { jobNamed } from "@svc/testkit/server/jobs";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment, startServer } from "@svc/testkit/server/running-server";
import { assertPackageVerified } from "@svc/testkit/server/verified";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";
import { BuildExport, failureOf } from "../../src/exports/build-export.ts";
import { type ChosenBundle, findExport } from "../../src/exports/exports-store.ts";
import type { PackageOrder } from "../../src/exports/making.ts";
import { MakingThread } from "../../src/exports/making-thread.ts";
import { PackageFiles } from "../../src/exports/package-files.ts";
import { type MakersCalls, MakingHere, MakingLost, type PackageMaker } from "../../src/exports/package-maker.ts";
import { PackageTooLarge } from "../../src/exports/write-artifact.ts";
import { systemKeysOf } from "../../src/tenancy/system-keys.ts";
import { download, packagesIn, settledExport } from "./export-client.ts";

const PAYLOAD = { secret: "do-not-keep-me" };
const never = new AbortController().signal;

/** The running threads of this process, so that a test can end them. */
const threads = new Set<Worker>();
process.on("worker", (thread: Worker) => {
  threads.add(thread);
  thread.once("exit", () => threads.delete(thread));
});

/** Makes packages as another maker does, with other orders or calls. */
function changed(
  maker: PackageMaker,
  {
    order = (one) => one,
    calls = (ones) => ones,
  }: {
    readonly order?: (order: PackageOrder) => PackageOrder;
    readonly calls?: (calls: MakersCalls) => MakersCalls;
  },
): PackageMaker {
  return { make: (given, asked, stop) => maker.make(order(given), calls(asked), stop) };
}

/** Makes packages as another maker does; `hold` comes before the first signature, and may reject. */
function held(maker: PackageMaker, hold: (calls: MakersCalls) => Promise<void>): PackageMaker {
  let isHeld = false;
  const calls = (ones: MakersCalls): MakersCalls => ({
    ...ones,
    sign: async (message) => {
      if (!isHeld) {
        isHeld = true;
        await hold(ones);
      }
      return ones.sign(message);
    },
  });
  return changed(maker, { calls });
}

/** Whether this process has a file of a folder open. */
function hasOpenFile(folder: string): boolean {
  return readdirSync("/proc/self/fd").some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      // The descriptor of the listing itself.
      return false;
    }
  });
}

/** The requests of at most ten events each: the largest payloads are more than a request may have. */
function batches<Event>(events: readonly Event[]): Event[][] {
  return Array.from({ length: Math.ceil(events.length / 10) }, (_, at) => events.slice(10 * at, 10 * at + 10));
}

/** Resolves to a server with witnessed events, and an export of them, which only the test builds. */
async function start(t: TestContext, events = [1, 2, 3].map((number) => loan(number, { payload: PAYLOAD }))) {
  const here = await startServer(t);
  const { client, made, server } = here;
  const { context } = server.service;
  await jobNamed(server, "exports").stop();
  const receipts: { readonly stream_event_id: string }[] = [];
  for (const batch of batches(events))
    receipts.push(...(await client.appendBatch(made.stream_id, batch)).body.receipts);
  await client.witnessed(made.stream_id, events.length);
  const key = await context.database.write((writer) =>
    systemKeysOf(context).create(
      writer,
      { tenantId: made.tenant_id, systemId: made.system_id, limits: { actions: KEY_ACTIONS, streams: null } },
      { tenantId: made.tenant_id, kind: "service", id: "test", roles: [] },
    ),
  );
  const path = `/v2/streams/${made.stream_id}/events/${receipts[0]?.stream_event_id}/erase`;
  const erase = async () => {
    assert.equal((await new Client(server.url, key).post(path, { reason: "r" })).status, 200);
  };
  const lease = new Lease(context, "exports");
  assert.equal(await lease.acquire(), true);
  const folder = context.folder.exportsPath;
  const files = new PackageFiles(folder);
  await files.prepare();
  const { export_id } = (await client.post("/v1/exports", { streams: [made.stream_id] })).body;
  assert.ok(context.databaseLocation !== null);
  const thread = new MakingThread(context.databaseLocation, context.folder);
  /** The threads that ran before the last build. */
  let others = new Set<Worker>();
  const ownThreads = () => [...threads].filter((one) => !others.has(one));
  const build = (maker: PackageMaker = thread, stop = never) => {
    others = new Set(threads);
    return new BuildExport(context, files, maker).build(lease, stop, export_id);
  };
  const names = () => packagesIn(folder);
  const holdsPayload = () => names().some((name) => readFileSync(join(folder, name)).includes(PAYLOAD.secret));
  const assertNothing = () => assert.deepEqual([names(), ownThreads(), hasOpenFile(folder)], [[], [], false]);
  const exportId: string = export_id;
  const { databaseLocation, folder: folders } = context;
  const under = { context, lease, folder, folders, files, thread, exportId, databaseLocation };
  return { ...here, ...under, build, erase, names, holdsPayload, assertNothing, ownThreads };
}

test("a package is the same, byte by byte, wherever it is made, and what crosses holds no private key", async (t) => {
  const { client, context, build, files, exportId, thread, made } = await start(t);
  const orders: PackageOrder[] = [];
  const order = (one: PackageOrder) => {
    orders.push(one);
    return one;
  };
  const kept: ChosenBundle[] = [];
  const keeping = (ones: MakersCalls): MakersCalls => ({
    ...ones,
    keep: async (streamId, evidence) => {
      const chosen = await ones.keep(streamId, evidence);
      kept.push(chosen);
      return chosen;
    },
  });
  // An epoch that came between two builds would be in the later one alone.
  await until("the events are published", async () => {
    const { body } = await client.get(`/v2/streams/${made.stream_id}/proof-state`);
    return body.published_to_seq_no === 3 ? body : null;
  });
  await build(changed(thread, { order, calls: keeping }));
  const ready = await settledExport(client, exportId, "ready");
  const { bytes } = await download(client, ready);
  assertPackageVerified(bytes, made.public_key_hex);
  const [first] = orders;
  assert.ok(first !== undefined);
  assert.deepEqual(Object.keys(first.key), ["kid", "publicKeyHex", "validFrom"]);
  const { database, archived, kernel, signingKey } = context;
  const signer = await database.read((reader) => signingKey.current(reader));
  const calls: MakersCalls = {
    keep: async (_streamId, evidence) => {
      assert.deepEqual({ ...evidence, bundle_id: kept[0]?.bundle_id }, kept[0]);
      return kept[0] ?? assert.fail();
    },
    sign: async (message) => signer.sign(message),
    check: async () => undefined,
  };
  const again = { ...first, build: { ...first.build, build_no: 9 } };
  const here = await new MakingHere({ database, archived }, kernel, files).make(again, calls, never);
  assert.ok(!("missing" in here));
  assert.equal(here.packageSha256, ready.package.sha256);
});

test("an erasure during a build is noticed at the build's end, or at its next look, and nothing of the build remains", async (t) => {
  for (const looks of [false, true]) {
    const { client, made, thread, build, erase, exportId, holdsPayload, assertNothing } = await start(t);
    let signatures = 0;
    const counted = changed(thread, {
      calls: (ones) => ({
        ...ones,
        sign: async (message) => {
          const signature = await ones.sign(message);
          signatures += 1;
          return signature;
        },
      }),
    });
    const erasing = held(counted, async ({ check }) => {
      assert.ok(holdsPayload());
      await erase();
      if (looks) await check();
    });
    assert.equal(await build(erasing), null);
    assertNothing();
    assert.equal(signatures, looks ? 0 : 2, "the bundle and the manifest, unless the thread was ended before");
    assert.equal((await client.get(`/v1/exports/${exportId}`)).body.state, "queued");
    assert.notEqual(await build(), null);
    const { bytes } = await download(client, await settledExport(client, exportId, "ready"));
    assert.equal(assertPackageVerified(bytes, made.public_key_hex).assurance.redacted, 1);
  }
});

test("an export that is deleted during its build stays deleted, and nothing of the build remains", async (t) => {
  const { client, thread, build, exportId, assertNothing } = await start(t);
  const deleting = held(thread, async ({ check }) => {
    assert.equal((await client.send("DELETE", `/v1/exports/${exportId}`, undefined, {})).status, 200);
    await check();
  });
  assert.equal(await build(deleting), null);
  assertNothing();
  assert.equal((await client.get(`/v1/exports/${exportId}`)).body.state, "deleted");
});

test("of two builders one makes the package: the other has lost its lease, and leaves nothing", async (t) => {
  const { client, context, lease, files, names, thread, build, exportId, ownThreads } = await start(t);
  const late = held(thread, async () => {
    await lease.release();
    const other = new Lease(context, "exports");
    assert.equal(await other.acquire(), true);
    assert.notEqual(await new BuildExport(context, files, thread).build(other, never, exportId), null);
  });
  await assert.rejects(build(late), LeaseLost);
  assert.deepEqual([names(), ownThreads()], [[`${exportId}.2.zip`], []]);
  await download(client, await settledExport(client, exportId, "ready"));
});

test("a build is ended at once when its process ends, does not count, and writes nothing any more", async (t) => {
  const { client, made, context, thread, build, exportId, names, assertNothing } = await start(t);
  const stop = new AbortController();
  const ending = held(thread, () => {
    assert.ok(names().length > 0);
    stop.abort();
    // The thread would wait for ever.
    return new Promise(() => undefined);
  });
  assert.equal(await build(ending, stop.signal), null);
  assertNothing();
  const row = await context.database.read((reader) => findExport(reader, made.tenant_id, exportId));
  assert.deepEqual([row?.state, row?.attempts], ["queued", 0]);
  assert.notEqual(await build(), null);
  await download(client, await settledExport(client, exportId, "ready"));
});

test("where the thread ends, the build leaves nothing, and the next one makes the package", async (t) => {
  const { client, thread, build, exportId, ownThreads, assertNothing } = await start(t);
  const ending = held(thread, async () => {
    assert.equal(ownThreads().length, 1);
    await ownThreads()[0]?.terminate();
  });
  const lost = await build(ending).catch((error: unknown) => error);
  assert.ok(lost instanceof MakingLost && lost.message.includes(exportId), String(lost));
  assert.equal(failureOf(lost), null);
  assertNothing();
  assert.notEqual(await build(), null);
  await download(client, await settledExport(client, exportId, "ready"));
});

test("a failure of what the thread asks for ends the build, and stays what it was", async (t) => {
  const { client, thread, build, exportId, assertNothing } = await start(t);
  const busy = new StoreUnavailable("busy");
  const failing = held(thread, () => Promise.reject(busy));
  await assert.rejects(build(failing), (error) => error === busy);
  assertNothing();
  assert.notEqual(await build(), null);
  await download(client, await settledExport(client, exportId, "ready"));
});

test("a package that would be too large is refused by its thread as by any", async (t) => {
  const { thread, build, assertNothing } = await start(t);
  const small = changed(thread, { order: (one) => ({ ...one, maxBytes: 100 }) });
  const refused = await build(small).catch((error: unknown) => error);
  assert.ok(refused instanceof PackageTooLarge);
  assert.equal(failureOf(refused), "export_too_large");
  assertNothing();
});

test("a file that cannot be written fails the build with the system's code", async (t) => {
  const { thread, build, files, assertNothing } = await start(t);
  const order = (one: PackageOrder) => {
    writeFileSync(files.workPathOf(one.build, "proofs.json"), "");
    return one;
  };
  await assert.rejects(build(changed(thread, { order })), { code: "EEXIST" });
  assertNothing();
});

test("a build that runs out of memory ends alone; it is repeated with twice as much until that suffices", async (t) => {
  // A list of empty lists takes many times its text in memory.
  const lists = { lists: Array.from({ length: 80_000 }, () => []) };
  const events = Array.from({ length: 40 }, (_, index) => loan(index, { payload: lists }));
  const { client, made, databaseLocation, folders, build, exportId, assertNothing } = await start(t, events);
  const scarce = new MakingThread(databaseLocation, folders, 20);
  const lost: unknown[] = [];
  for (;;) {
    const outcome = await build(scarce).catch((error: unknown) => error);
    if (!(outcome instanceof MakingLost)) break;
    lost.push(outcome.message);
    assertNothing();
    assert.equal((await client.get("/ready")).status, 200);
  }
  assert.ok(lost.length > 0 && lost.every((message) => `${message}`.endsWith("memory")), String(lost));
  const { bytes } = await download(client, await settledExport(client, exportId, "ready"));
  assertPackageVerified(bytes, made.public_key_hex);
});

test("the largest payloads fit into the memory of a first build, however many there are", async (t) => {
  // A text with one wide character takes two bytes for each character.
  const text = `${"x".repeat(MAX_PAYLOAD_BYTES - 100)}\u0416`;
  // Small payloads come first, so that portions are as long as they may be.
  const small = Array.from({ length: 200 }, (_, index) => loan(index));
  const large = Array.from({ length: 200 }, (_, index) => loan(index + 200, { payload: { text } }));
  const { client, made, build, exportId } = await start(t, [...small, ...large]);
  assert.notEqual(await build(), null);
  const { bytes } = await download(client, await settledExport(client, exportId, "ready"));
  assertPackageVerified(bytes, made.public_key_hex);
});

test("a process that is killed during a build leaves no half package to its successor, which makes a whole one", async (t) => {
  const data = join(temporaryFolder(), "data");
  const made = await makeDeployment(data);
  const first = await startChild(t, data);
  const client = new Client(first.url, made.api_key ?? "");
  const text = "x".repeat(100_000);
  const events = Array.from({ length: 200 }, (_, index) => loan(index, { payload: { text } }));
  for (const batch of batches(events)) await client.appendBatch(made.stream_id, batch);
  await client.witnessed(made.stream_id, 200);
  const { export_id } = (await client.post("/v1/exports", { streams: [made.stream_id] })).body;
  const folder = join(data, "exports");
  await until("the proofs are being written", async () =>
    existsSync(folder) && packagesIn(folder).some((name) => name.includes("proofs.json")) ? true : null,
  );
  assert.equal(await first.end("SIGKILL"), null);
  assert.ok(packagesIn(folder).some((name) => name.endsWith(".unfinished")));
  const second = await startChild(t, data);
  const again = new Client(second.url, client.key);
  const ready = await settledExport(again, export_id, "ready");
  assertPackageVerified((await download(again, ready)).bytes, made.public_key_hex);
  assert.deepEqual(packagesIn(folder), [`${export_id}.2.zip`]);
  assert.equal(await second.end("SIGTERM"), 0);
  assert.equal((await command(["fsck", "--data", data, "--json"])).code, 0);
});
