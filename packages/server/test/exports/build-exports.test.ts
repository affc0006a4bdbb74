/**
 * The job behind exports, round by round: its builds, its failures and their reasons, expired packages, and swept
 * files.
 */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { MAX_EXPORT_DAYS, MAX_EXPORT_WAIT_SECONDS } from "@svc/api/limits";
import { eventLine, eventsHeading, type PublicKeyHex } from "@svc/core";
import { Lease } from "@svc/host/jobs";
import { StoreFull, StoreUnavailable } from "@svc/host/store";
import { assertPackageVerified } from "@svc/testkit/server/verified";
import { until } from "@svc/testkit/until";
import { findTicket, insertTicket } from "../../src/exports/accesses-store.ts";
import { createExportBuilding } from "../../src/exports/build-exports.ts";
import { beginBuild, chosenBundle, markDeleted } from "../../src/exports/exports-store.ts";
import { PackageFiles } from "../../src/exports/package-files.ts";
import { MAX_EXPORT_BUILDS } from "../../src/limits.ts";
import { signingKeys } from "../../src/signing/service-store.ts";
import { erasePayload, eventsOfRange } from "../../src/streams/events-store.ts";
import type { ContextOfBoth } from "../context-under-test.ts";
import { append, ONE_STREAM, OTHER_STREAM, seal } from "../context-under-test.ts";
import { at, BANK, LOANS, principalOf } from "../store-under-test.ts";
import { textsOf } from "./export-client.ts";
import { exportsUnderTest, SERVICE } from "./package-under-test.ts";

/** Returns the same context, whose key does not sign as long as there is a failure. */
function failingKeys(context: ContextOfBoth, state: { failure: Error | null }): ContextOfBoth {
  const { signingKey } = context;
  return {
    ...context,
    signingKey: Object.assign(Object.create(signingKey), {
      current: async (reader: Parameters<typeof signingKey.current>[0]) => {
        const key = await signingKey.current(reader);
        return state.failure === null ? key : { ...key, sign: () => Promise.reject(state.failure) };
      },
      held: (writer: Parameters<typeof signingKey.held>[0]) => signingKey.held(writer),
      carried: (reader: Parameters<typeof signingKey.carried>[0]) => signingKey.carried(reader),
    }),
  };
}

test("a package is built, verifies, and is announced; its row and its lifecycle event describe it", async (t) => {
  const { store, context, ask, buildAll, rowOf, bytesOf, names, told } = await exportsUnderTest(t);
  const request = { streams: [ONE_STREAM, OTHER_STREAM], received_before: at(2000) };
  const exportId = await ask(request);
  const begunAt = performance.now();
  await buildAll();
  const seconds = (performance.now() - begunAt) / 1000;
  const bytes = await bytesOf(exportId);
  const [key] = await store.read(signingKeys);
  assertPackageVerified(bytes, key?.public_key_hex as PublicKeyHex);
  const row = await rowOf(exportId);
  const { package_sha256, manifest_sha256, challenge, proof_sha256, generated_event_id } = row;
  assert.equal(package_sha256, hash("sha256", bytes));
  assert.deepEqual(row, {
    ...row,
    state: "ready",
    build_no: 1,
    attempts: 0,
    packaged_at: at(1000),
    size_bytes: bytes.length,
    ready_at: at(1000),
    expires_at: at(1000 + MAX_EXPORT_DAYS * 86_400),
  });
  assert.deepEqual(names(), [`${exportId}.1.zip`]);
  assert.equal(await store.read((reader) => chosenBundle(reader, exportId, ONE_STREAM)), null);
  const [outcome, ...others] = told.outcomes;
  assert.deepEqual([outcome?.isReady, outcome?.sizeBytes, others, told.failed], [true, bytes.length, [], []]);
  assert.ok(outcome !== undefined && outcome.seconds > 0 && outcome.seconds <= seconds);
  assert.deepEqual(
    told.recorded.map(({ last, isWindowFull }) => [
      last.stream_event_id,
      last.event_type,
      last.source_ref,
      isWindowFull,
    ]),
    [[generated_event_id, "truth_package.generated", exportId, false]],
  );
  assert.deepEqual(JSON.parse(told.recorded[0]?.last.payload ?? ""), {
    export_id: exportId,
    packaged_at: at(1000),
    package_sha256,
    manifest_sha256,
    size_bytes: bytes.length,
    challenge,
    proof_sha256,
    payloads: "included",
    streams: 2,
    actor: { kind: "system", id: LOANS.systemId },
  });
  const { "manifest.json": manifest = "", "events.csv": events = "", "proofs.json": proofs = "" } = textsOf(bytes);
  const { what, verify, proves, does_not_prove, ...about } = JSON.parse(manifest);
  for (const words of [what, verify, proves, does_not_prove]) assert.match(words, /\w+ \w+/);
  assert.deepEqual(about, {
    export_id: exportId,
    made_at: at(1000),
    service: { origin: context.origin, kid: key?.kid },
    payloads: "included",
    streams: [
      { stream_id: ONE_STREAM, use_case: "decisions", from_seq_no: 1, to_seq_no: 5, events: 5 },
      { stream_id: OTHER_STREAM, use_case: "decisions", from_seq_no: 1, to_seq_no: 2, events: 2 },
    ],
  });
  assert.equal(events.split("\r\n").length, 1 + 7 + 1);
  assert.deepEqual(
    JSON.parse(proofs).map(({ payloads }: { payloads: object }) => Object.keys(payloads).length),
    [5, 2],
  );
});

test("a redacted package has no payload, and a whole one none that was erased", async (t) => {
  const { context, store, ready, bytesOf } = await exportsUnderTest(t);
  const request = { streams: [ONE_STREAM], from_seq_no: 2, to_seq_no: 3 };
  const redacted = await ready({ ...request, payloads: "redacted" });
  const [one, other] = await store.read((reader) => eventsOfRange(reader, BANK, ONE_STREAM, 2, 3));
  assert.ok(one !== undefined && other !== undefined);
  const lines = (first: string, second: string) =>
    Buffer.concat([eventsHeading(), eventLine(one, first), eventLine(other, second)]).toString("utf8");
  const texts = textsOf(await bytesOf(redacted.export_id));
  assert.equal(texts["events.csv"], lines("", ""));
  for (const text of Object.values(texts)) assert.ok(!text.includes("applicant"));
  const { payloads, streams } = JSON.parse(texts["manifest.json"] ?? "");
  assert.deepEqual([payloads, streams[0].from_seq_no, streams[0].to_seq_no, streams[0].events], ["redacted", 2, 3, 2]);
  await context.database.write((writer) => erasePayload(writer, BANK, one.stream_event_id));
  const whole = await ready(request);
  assert.equal(textsOf(await bytesOf(whole.export_id))["events.csv"], lines("", other.payload ?? ""));
});

test("an export waits for its evidence; without it in time it fails, and others do not wait for it", async (t) => {
  const { context, now, ask, build, rowOf, noted, told, names } = await exportsUnderTest(t);
  await append(context, LOANS, ONE_STREAM, 1);
  const waiting = await ask();
  now.seconds += 1;
  const [other, third] = [await ask({ streams: [OTHER_STREAM] }), await ask({ streams: [ONE_STREAM, OTHER_STREAM] })];
  await build("the other is ready", async () => (await rowOf(other)).state === "ready");
  assert.deepEqual([(await rowOf(waiting)).state, (await rowOf(third)).state], ["queued", "queued"]);
  now.seconds = 1000 + MAX_EXPORT_WAIT_SECONDS - 0.001;
  const fourth = await ask({ streams: [OTHER_STREAM] });
  await build("the fourth is ready", async () => (await rowOf(fourth)).state === "ready");
  assert.equal((await rowOf(waiting)).state, "queued");
  now.seconds = 1000 + MAX_EXPORT_WAIT_SECONDS;
  await build("the first has failed", async () => (await rowOf(waiting)).state === "failed");
  const { failed_at, failure_code, build_no } = await rowOf(waiting);
  assert.deepEqual([failed_at, failure_code, build_no], [at(1600), "evidence_missing", 0]);
  assert.deepEqual((await noted(waiting)).slice(1), [
    ["export.failed", SERVICE, BANK, at(1600), { code: "evidence_missing" }],
  ]);
  assert.deepEqual(told.outcomes.slice(2), [{ isReady: false, sizeBytes: 0, seconds: 0 }]);
  await seal(context, BANK, ONE_STREAM);
  await build("the third is ready", async () => (await rowOf(third)).state === "ready");
  assert.deepEqual([told.failed, names().length], [[], 3]);
});

test("a build that has ended too often without a result fails", async (t) => {
  const { store, ask, buildAll, rowOf, noted, told } = await exportsUnderTest(t);
  const [once, last, over] = [await ask(), await ask(), await ask()];
  const begin = async (exportId: string, times: number) => {
    for (let count = 0; count < times; count++) await store.write((writer) => beginBuild(writer, exportId, at(1000)));
  };
  await begin(once, 1);
  await begin(last, MAX_EXPORT_BUILDS - 1);
  await begin(over, MAX_EXPORT_BUILDS);
  await buildAll();
  const found = [await rowOf(once), await rowOf(last), await rowOf(over)];
  assert.deepEqual(
    found.map(({ state, build_no, failure_code }) => [state, build_no, failure_code]),
    [
      ["ready", 2, null],
      ["ready", MAX_EXPORT_BUILDS, null],
      ["failed", MAX_EXPORT_BUILDS, "internal_error"],
    ],
  );
  assert.deepEqual(
    told.outcomes.map(({ isReady }) => isReady),
    [true, true, false],
  );
  assert.deepEqual((await noted(over)).slice(1), [
    ["export.failed", SERVICE, BANK, at(1000), { code: "internal_error" }],
  ]);
});

test("an error of a build fails its export, and only an unexpected one is reported", async (t) => {
  const { context, ask, build, rowOf, told, names } = await exportsUnderTest(t);
  const unexpected = new Error("no key");
  for (const [failure, code, isTold] of [
    [unexpected, "internal_error", true],
    [new StoreFull(), "store_full", false],
    [Object.assign(new Error("no room"), { code: "ENOSPC" }), "store_full", false],
    [Object.assign(new Error("no room"), { code: "EDQUOT" }), "store_full", false],
  ] as const) {
    const exportId = await ask();
    const on = failingKeys(context, { failure });
    await build("it has failed", async () => (await rowOf(exportId)).state === "failed", on);
    const { failure_code, build_no } = await rowOf(exportId);
    assert.deepEqual([failure_code, build_no], [code, 1]);
    assert.deepEqual(told.failed.splice(0), isTold ? [failure] : []);
    assert.deepEqual(told.outcomes.splice(0), [{ isReady: false, sizeBytes: 0, seconds: 0 }]);
    assert.deepEqual(names(), []);
  }
});

test("a build that the database had no time for is begun again, with the evidence and the time of the first", async (t) => {
  const { context, store, now, ask, build, rowOf, told, bytesOf } = await exportsUnderTest(t);
  const exportId = await ask();
  const state: { failure: Error | null } = { failure: new StoreUnavailable("busy") };
  const chosen = () => store.read((reader) => chosenBundle(reader, exportId, ONE_STREAM));
  assert.equal(await chosen(), null);
  const on = failingKeys(context, state);
  await build("it was tried", async () => told.failed.length > 0, on);
  const first = await chosen();
  assert.match(first?.bundle_id ?? "", /^bundle_/);
  assert.deepEqual([first?.window_count, first?.statements.length], [1, 1]);
  assert.deepEqual([told.failed[0], told.outcomes, (await rowOf(exportId)).state], [state.failure, [], "building"]);
  state.failure = null;
  now.seconds += 5;
  await append(context, LOANS, ONE_STREAM, 1);
  await seal(context, BANK, ONE_STREAM);
  await build("it is ready", async () => (await rowOf(exportId)).state === "ready", on);
  const { packaged_at, ready_at, build_no } = await rowOf(exportId);
  assert.deepEqual([packaged_at, ready_at], [at(1000), at(1005)]);
  assert.ok(build_no > 1);
  const [bundle] = JSON.parse(textsOf(await bytesOf(exportId))["proofs.json"] ?? "");
  assert.deepEqual([bundle.manifest.bundle_id, bundle.artifacts["checkpoints.json"].length], [first?.bundle_id, 1]);
});

test("a package ends at its time, and its file and old tickets go", async (t) => {
  const { store, context, now, ready, ask, buildAll, build, rowOf, names, noted } = await exportsUnderTest(t);
  const { export_id, expires_at } = await ready();
  const ticket = (name: string, expires: string) =>
    store.write((writer) =>
      insertTicket(writer, principalOf(LOANS), {
        access_id: name,
        export_id,
        ticket_mac: name,
        prepared_at: at(1000),
        expires_at: expires,
      }),
    );
  await ticket("tpa_1", at(1001));
  await ticket("tpa_2", expires_at ?? "");
  const tickets = () =>
    store.read(async (reader) => [
      (await findTicket(reader, ["tpa_1"]))?.access_id ?? null,
      (await findTicket(reader, ["tpa_2"]))?.access_id ?? null,
    ]);
  now.seconds = 1001;
  const next = await ask();
  await buildAll();
  assert.deepEqual(await tickets(), ["tpa_1", "tpa_2"], "not before its end");
  now.seconds = 1002;
  await build("the ticket is gone", async () => (await tickets())[0] === null);
  assert.deepEqual([await tickets(), (await rowOf(export_id)).state], [[null, "tpa_2"], "ready"]);
  now.seconds = (Date.parse(expires_at ?? "") - Date.parse(at(0))) / 1000;
  await build("its file is gone", async () => (await rowOf(export_id)).file_removed_at !== null);
  const row = await rowOf(export_id);
  assert.deepEqual(
    [row.state, row.deleted_because, row.deleted_at, row.file_removed_at],
    ["deleted", "expired", expires_at, expires_at],
  );
  assert.deepEqual((await noted(export_id)).slice(1), [
    ["export.deleted", SERVICE, BANK, expires_at, { because: "expired" }],
  ]);
  assert.deepEqual([names(), (await rowOf(next)).state], [[`${next}.1.zip`], "ready"]);
  assert.deepEqual(await tickets(), [null, "tpa_2"]);
  assert.equal(Date.parse(expires_at ?? ""), context.clock());
});

test("what a crash has left is swept away once, and a package without its own file is lost", async (t) => {
  const { context, ready, build, rowOf, names, noted, files } = await exportsUnderTest(t);
  const [whole, shorter, gone] = [await ready(), await ready(), await ready()];
  const { exportsPath } = context.folder;
  truncateSync(files.pathOf(shorter), 10);
  await files.remove(gone.export_id);
  for (const name of [`${whole.export_id}.2.zip`, `${whole.export_id}.1.zip.archive.unfinished`, "exp_x.1.zip"])
    writeFileSync(join(exportsPath, name), "left");
  const isGone = async () => (await rowOf(shorter.export_id)).file_removed_at !== null;
  await build(
    "what is lost is deleted",
    async () => (await isGone()) && (await rowOf(gone.export_id)).state === "deleted",
  );
  assert.deepEqual(names(), [`${whole.export_id}.1.zip`]);
  assert.equal((await rowOf(whole.export_id)).state, "ready");
  for (const { export_id } of [shorter, gone])
    assert.deepEqual((await noted(export_id)).slice(1), [
      ["export.deleted", SERVICE, BANK, at(1000), { because: "lost" }],
    ]);
});

test("what expires and what was deleted go in one round", async (t) => {
  const { now, ready, exports, build, rowOf, names } = await exportsUnderTest(t);
  const [expired, deleted] = [await ready(), await ready()];
  await exports.delete(principalOf(LOANS), deleted.export_id);
  now.seconds += MAX_EXPORT_DAYS * 86_400;
  await build("both files are gone", async () => (await rowOf(expired.export_id)).file_removed_at !== null);
  assert.notEqual((await rowOf(deleted.export_id)).file_removed_at, null);
  assert.deepEqual(names(), []);
});

test("a round without work writes nothing, and only the first of a process sweeps", async (t) => {
  const counts = { reads: 0, writes: 0 };
  const { context, files, ready, names, told, rowOf, now } = await exportsUnderTest(t, (database) => ({
    maxWriters: 1,
    commits: 0,
    read: (work) => {
      counts.reads += 1;
      return database.read(work);
    },
    write: (work) => {
      counts.writes += 1;
      return database.write(work);
    },
    close: () => database.close(),
  }));
  const row = await ready();
  const job = createExportBuilding(context, files);
  assert.equal(job.name, "exports");
  /** Resolves when the job has looked for work this many times. */
  const rounds = async (count: number) => {
    const enough = counts.reads + count;
    await until("it has looked", async () => {
      job.wake();
      return counts.reads >= enough ? true : null;
    });
  };
  job.start();
  await rounds(10);
  const { writes } = counts;
  const left = join(context.folder.exportsPath, "left");
  writeFileSync(left, "by somebody");
  await rounds(10);
  assert.equal(counts.writes, writes);
  // This round has work: it removes the package, and there is nothing to build.
  now.seconds += MAX_EXPORT_DAYS * 86_400;
  await until("its file is gone", async () => ((await rowOf(row.export_id)).file_removed_at === null ? null : true));
  await job.stop();
  assert.deepEqual([names(), told.failed], [["left"], []]);
});

test("a process that has lost its lease before it sweeps takes nothing away", async (t) => {
  const { context, now, ready, names, ask } = await exportsUnderTest(t);
  const { export_id } = await ready();
  writeFileSync(join(context.folder.exportsPath, "left"), "by another process, at work");
  const other = new Lease(context, "exports");
  let isTaken = false;
  class LateFiles extends PackageFiles {
    override async prepare(): Promise<void> {
      now.seconds += 60;
      isTaken = await other.acquire();
    }
  }
  await ask();
  const job = createExportBuilding(context, new LateFiles(context.folder.exportsPath));
  job.start();
  await until("another has the lease", async () => (isTaken ? true : null));
  await job.stop();
  assert.deepEqual(names(), [`${export_id}.1.zip`, "left"]);
});

test("evidence that is there by its numbers and missing when it is collected fails the export", async (t) => {
  const { store, ask, buildAll, rowOf, told, names } = await exportsUnderTest(t);
  const exportId = await ask();
  await store.write((writer) => writer.run("DELETE FROM windows WHERE stream_id = $1", ONE_STREAM));
  await buildAll();
  const { state, failure_code, build_no } = await rowOf(exportId);
  assert.deepEqual([state, failure_code, build_no], ["failed", "evidence_missing", 1]);
  assert.deepEqual(told.outcomes, [{ isReady: false, sizeBytes: 0, seconds: 0 }]);
  assert.deepEqual([told.failed, told.recorded, names()], [[], [], []]);
});

test("an export that is deleted during its build is neither ready nor failed, and nothing is published about it", async (t) => {
  const { context, store, ask, rowOf, told, noted, build } = await exportsUnderTest(t);
  const isDeleted = async (id: string) => (await rowOf(id)).file_removed_at !== null;
  for (const failure of [null, new StoreFull()]) {
    const exportId = await ask();
    const { signingKey } = context;
    const on: ContextOfBoth = {
      ...context,
      signingKey: Object.assign(Object.create(signingKey), {
        current: async (reader: Parameters<typeof signingKey.current>[0]) => {
          // The write comes behind the transaction that asks for the key, or before the next one at the latest.
          void store.write((writer) => markDeleted(writer, exportId, "requested", at(1001)));
          if (failure !== null) throw failure;
          return signingKey.current(reader);
        },
        held: (writer: Parameters<typeof signingKey.held>[0]) => signingKey.held(writer),
        carried: (reader: Parameters<typeof signingKey.carried>[0]) => signingKey.carried(reader),
      }),
    };
    await build("it is deleted", () => isDeleted(exportId), on);
    assert.deepEqual([told.outcomes, told.failed, told.recorded], [[], [], []]);
    assert.deepEqual((await noted(exportId)).slice(1), []);
  }
});

test("a first start makes the folder, and a round without work takes no lease", async (t) => {
  const { store, context, names, build, ask, rowOf } = await exportsUnderTest(t);
  const leases = () =>
    store.read((reader) => reader.all<object>("SELECT lease_until FROM jobs WHERE job_name = 'exports'"));
  const before = await leases();
  assert.deepEqual(before, []);
  mkdirSync(context.folder.path, { recursive: true });
  const exportId = await ask();
  await build("it is ready", async () => (await rowOf(exportId)).state === "ready");
  assert.equal(names().length, 1);
  assert.equal((await leases()).length, 1);
});
