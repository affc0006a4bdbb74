/** One build of one package, interrupted at each possible place: it leaves no trace, and the next one is whole. */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { crc32 } from "@svc/core";
import { Lease, LeaseLost } from "@svc/host/jobs";
import { StoreUnavailable } from "@svc/host/store";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { BuildExport, failureOf } from "../../src/exports/build-export.ts";
import { beginBuild, chosenBundle, exportsWithPayload, markDeleted, requeue } from "../../src/exports/exports-store.ts";
import { type BuildName, PackageFiles } from "../../src/exports/package-files.ts";
import { PackageTooLarge, writeFileOf } from "../../src/exports/write-artifact.ts";
import { append, ONE_STREAM, OTHER_STREAM, seal } from "../context-under-test.ts";
import { at, BANK, LOANS } from "../store-under-test.ts";
import { exportsUnderTest } from "./package-under-test.ts";
import { watched } from "./watched-database.ts";

/** Package files that report when a part of a package is begun, and when all of it is on the disk. */
class WatchedFiles extends PackageFiles {
  readonly begun: string[] = [];
  onBegun: (part: string) => void = () => {};
  onSync: () => Promise<void> = async () => {};

  override workPathOf(build: BuildName, part: string): string {
    const path = super.workPathOf(build, part);
    if (!this.begun.includes(part)) {
      this.begun.push(part);
      this.onBegun(part);
    }
    return path;
  }

  override async sync(): Promise<void> {
    await super.sync();
    await this.onSync();
  }
}

/** `changes`: what others change meanwhile. Each transaction of the build comes behind it, on a server too. */
async function building(t: TestContext) {
  const made = await exportsUnderTest(t);
  const { context } = made;
  const files = new WatchedFiles(context.folder.exportsPath);
  await files.prepare();
  const lease = new Lease(context, "exports");
  assert.ok(await lease.acquire());
  const stopping = new AbortController();
  const changes: Promise<unknown>[] = [];
  const database = watched(context.database, "write", async () => {
    await Promise.all(changes);
  });
  const builder = new BuildExport({ ...context, database }, files);
  const build = (exportId: string, by = lease) => builder.build(by, stopping.signal, exportId);
  return { ...made, files, lease, stopping, build, changes };
}

/**
 * Runs work during which any two reads of the process's clock differ by `stepMs`, so that a build checks after each
 * piece whether it is wanted.
 */
async function hurried<T>(stepMs: number, work: () => Promise<T>): Promise<T> {
  const { now } = performance;
  let time = now.call(performance);
  performance.now = () => {
    time += stepMs;
    return time;
  };
  try {
    return await work();
  } finally {
    performance.now = now;
  }
}

test("a build answers its event and its size, and leaves the package alone", async (t) => {
  const { ask, build, names, rowOf } = await building(t);
  const exportId = await ask({ streams: [ONE_STREAM, OTHER_STREAM] });
  const made = await build(exportId);
  assert.ok(made !== null && "outcome" in made);
  const { generated_event_id, size_bytes } = await rowOf(exportId);
  assert.deepEqual(
    [made.recorded.stream_event_id, made.outcome.isReady, made.outcome.sizeBytes],
    [generated_event_id, true, size_bytes],
  );
  assert.deepEqual(names(), [`${exportId}.1.zip`]);
  assert.equal(await build(exportId), null, "it is ready, and is not built again");
  assert.equal(await build("exp_none"), null);
  assert.equal((await rowOf(exportId)).build_no, 1);
});

test("a package is closed to others", async (t) => {
  const { ask, build, files } = await building(t);
  const exportId = await ask();
  await build(exportId);
  assert.equal(statSync(files.pathOf({ export_id: exportId, build_no: 1 })).mode & 0o777, 0o600);
});

test("evidence that is missing is named, and nothing is left of the build", async (t) => {
  const { context, ask, build, names } = await building(t);
  await append(context, LOANS, OTHER_STREAM, 1);
  const made = await build(await ask({ streams: [ONE_STREAM, OTHER_STREAM] }));
  assert.ok(made !== null && "missing" in made);
  assert.deepEqual(names(), []);
});

test("the lease is looked at before a build begins, and before its end: who has lost it changes nothing", async (t) => {
  const { context, store, now, ask, build, rowOf, names, files, lease, told } = await building(t);
  const exportId = await ask();
  const other = new Lease(context, "exports");
  now.seconds += 60;
  assert.ok(await other.acquire());
  const before = await rowOf(exportId);
  await assert.rejects(build(exportId), LeaseLost);
  assert.deepEqual([await rowOf(exportId), files.begun], [before, []]);

  let isLost = false;
  files.onSync = async () => {
    if (isLost) return;
    isLost = true;
    now.seconds += 60;
    assert.ok(await lease.acquire());
  };
  await assert.rejects(build(exportId, other), LeaseLost);
  assert.deepEqual([(await rowOf(exportId)).state, names(), told.recorded], ["building", [], []]);
  assert.equal((await store.read((reader) => chosenBundle(reader, exportId, ONE_STREAM)))?.window_count, 1);
});

test("an export that is deleted while its package gets its name does not become ready, and the package goes", async (t) => {
  const { store, ask, build, rowOf, names, files, told } = await building(t);
  const exportId = await ask();
  files.onSync = async () => {
    await store.write((writer) => markDeleted(writer, exportId, "requested", at(1001)));
  };
  assert.equal(await build(exportId), null);
  const { state, deleted_because, package_sha256 } = await rowOf(exportId);
  assert.deepEqual([state, deleted_because, package_sha256], ["deleted", "requested", null]);
  assert.deepEqual([names(), told.recorded], [[], []]);
});

test("a build that is sent back while it is at work ends at its next look, and the next one makes the package", async (t) => {
  const { store, ask, build, rowOf, names, files, changes } = await building(t);
  const exportId = await ask();
  files.onBegun = () => {
    if (changes.length > 0) return;
    const sentBack = store.write(async (writer) => {
      const [row] = await exportsWithPayload(writer, BANK, ONE_STREAM, 1);
      assert.ok(row !== undefined);
      await requeue(writer, row, { attempts: 0 });
    });
    changes.push(sentBack);
  };
  assert.equal(await hurried(1000, () => build(exportId)), null);
  assert.deepEqual(files.begun, ["events.csv"]);
  const { state, attempts, build_no } = await rowOf(exportId);
  assert.deepEqual([state, attempts, build_no, names()], ["queued", 0, 1, []]);
  assert.ok("outcome" in ((await build(exportId)) ?? {}));
  assert.deepEqual(names(), [`${exportId}.2.zip`]);
});

test("a build ends at its next look after its lease was lost, and does not look for it at every piece", async (t) => {
  for (const stepMs of [1000, 0]) {
    const { context, now, ask, build, files, names, changes } = await building(t);
    const exportId = await ask();
    const other = new Lease(context, "exports");
    files.onBegun = (part) => {
      if (part !== "events.csv") return;
      now.seconds += 3;
      changes.push(other.acquire());
    };
    await assert.rejects(
      hurried(stepMs, () => build(exportId)),
      LeaseLost,
    );
    assert.deepEqual(
      [await Promise.all(changes), files.begun.includes("archive"), names()],
      [[true], stepMs === 0, []],
    );
  }
});

test("a build for which the process has no time is not counted, and leaves nothing", async (t) => {
  const { store, ask, build, rowOf, names, files, stopping } = await building(t);
  const exportId = await ask();
  await store.write((writer) => beginBuild(writer, exportId, at(1000)));
  files.onBegun = () => stopping.abort();
  assert.equal(await build(exportId), null);
  const { state, attempts, build_no } = await rowOf(exportId);
  assert.deepEqual([state, attempts, build_no, names()], ["queued", 1, 2, []]);
  assert.deepEqual(files.begun, ["events.csv"]);
});

test("a build that is begun again makes the same bytes, though more evidence has come", async (t) => {
  const { context, now, ask, build, rowOf, names, files } = await building(t);
  const exportId = await ask({ streams: [ONE_STREAM, OTHER_STREAM] });
  const copy = join(context.folder.path, "copy.zip");
  let cutOff = 0;
  files.onSync = async () => {
    if (cutOff++ > 0) return;
    copyFileSync(files.pathOf({ export_id: exportId, build_no: 1 }), copy);
    throw new StoreUnavailable("busy");
  };
  await assert.rejects(build(exportId), StoreUnavailable);
  assert.deepEqual([(await rowOf(exportId)).state, names()], ["building", []]);
  now.seconds += 1;
  await append(context, LOANS, ONE_STREAM, 3);
  await seal(context, BANK, ONE_STREAM);
  await build(exportId);
  const { build_no, packaged_at } = await rowOf(exportId);
  assert.deepEqual([build_no, packaged_at], [2, at(1000)]);
  assert.ok(readFileSync(files.pathOf({ export_id: exportId, build_no })).equals(readFileSync(copy)));
});

test("a package that would be larger than an archive may be (MAX_EXPORT_BYTES) ends with its file, which is closed", async () => {
  const folder = temporaryFolder();
  async function* pieces() {
    yield Buffer.alloc(60, 1);
    yield Buffer.alloc(41, 2);
  }
  let pulses = 0;
  const pulse = async () => {
    pulses += 1;
  };
  const writing = { maxBytes: 100, sync: false, pulse };
  const [one, two] = [join(folder, "one"), join(folder, "two")];
  const refused = await writeFileOf(one, pieces(), writing).catch((error: unknown) => error);
  assert.ok(refused instanceof PackageTooLarge);
  assert.equal(failureOf(refused), "export_too_large");
  assert.equal(pulses, 1);
  const written = await writeFileOf(two, pieces(), { ...writing, maxBytes: 101 });
  const bytes = readFileSync(two);
  assert.deepEqual(written, { sha256: hash("sha256", bytes), crc32: crc32(bytes), sizeBytes: 101 });
  await assert.rejects(writeFileOf(two, pieces(), writing), { code: "EEXIST" });
  if (process.platform === "linux") assert.deepEqual([one, two].map(isOpen), [false, false]);
});

/** Whether this process has a file open. */
function isOpen(path: string): boolean {
  return readdirSync("/proc/self/fd").some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      // The descriptor of the listing itself.
      return false;
    }
  });
}
