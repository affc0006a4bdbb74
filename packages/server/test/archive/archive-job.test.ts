/**
 * The job of the archive: which events it takes and when, what a second server, an erasure and a file that is too large
 * do to it, and what stays behind.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Lease, LeaseLost } from "@svc/host/jobs";
import { assertVerified } from "@svc/testkit/server/verified";
import { ArchiveJob } from "../../src/archive/archive-job.ts";
import { type ArchiveMaker, archiveMakerOf } from "../../src/archive/archive-maker.ts";
import { chooseRange } from "../../src/archive/choose-range.ts";
import { EraseEvent } from "../../src/erasure/erase-event.ts";
import { PackageTooLarge } from "../../src/exports/write-artifact.ts";
import { Idempotency } from "../../src/idempotency/idempotency.ts";
import { eventsOfRange } from "../../src/streams/events-store.ts";
import { recordText } from "../../src/streams/receipt-records.ts";
import { append, contextUnderTest, ONE_STREAM, OTHER_STREAM, seal } from "../context-under-test.ts";
import { BANK, LOANS, principalOf } from "../store-under-test.ts";
import { archive, archivedRanges, archiveFiles, faultsOf } from "./archiving.ts";

const DAY_S = 86_400;
const { signal: never } = new AbortController();

/** Resolves to a context with checkpoints of so many events each in a stream. */
async function sealed(t: TestContext, ...counts: number[]) {
  const made = await contextUnderTest(t);
  for (const count of counts) {
    await append(made.context, LOANS, ONE_STREAM, count);
    await seal(made.context, BANK, ONE_STREAM);
  }
  return made;
}

/** Resolves to the receipts of a stream's events as texts, with their payloads. */
async function receiptsOf({ context, store }: Awaited<ReturnType<typeof sealed>>): Promise<string[]> {
  const rows = await store.read((reader) => eventsOfRange(reader, BANK, ONE_STREAM, 1, 100));
  return (await context.archived.restored(context.database, rows)).map(recordText);
}

function eraser(context: Parameters<typeof archive>[0]) {
  const erasure = new EraseEvent(context, new Idempotency(context));
  return (eventId: string) =>
    erasure.erase(principalOf(LOANS), { streamId: ONE_STREAM, eventId, reason: "asked for", idempotencyKey: "" });
}

test("events are archived when their checkpoint is witnessed and older than the age, and not before", async (t) => {
  const made = await sealed(t, 3);
  const { context, now, store } = made;
  await append(context, LOANS, OTHER_STREAM, 2);
  const before = await receiptsOf(made);
  const days = 10;
  assert.equal(await archive(context, { days: null }), false);
  assert.equal(await archive(context, { days }), false);
  // A file that is not full waits for a tenth of the age.
  now.seconds += 10.9 * DAY_S;
  assert.equal(await archive(context, { days }), false);
  now.seconds += 0.2 * DAY_S;
  await store.write((writer) => writer.run("UPDATE witness_policies SET threshold = 2"));
  assert.equal(await archive(context, { days }), false);
  await store.write((writer) => writer.run("UPDATE witness_policies SET threshold = 1"));
  // The clock goes back: everything seems younger.
  now.seconds -= 5 * DAY_S;
  assert.equal(await archive(context, { days }), false);
  now.seconds += 5 * DAY_S;
  await append(context, LOANS, ONE_STREAM, 2);
  await seal(context, BANK, ONE_STREAM);
  assert.equal(await archive(context, { days }), true);
  assert.deepEqual(await archivedRanges(context, ONE_STREAM), { ranges: [[1, 3]], here: [4, 5] });
  assert.deepEqual(await archivedRanges(context, OTHER_STREAM), { ranges: [], here: [1, 2] });
  assert.deepEqual((await receiptsOf(made)).slice(0, 3), before);
  assert.equal(await archive(context, { days }), false);
  assert.deepEqual(await faultsOf(context), []);
});

test("a file ends with a checkpoint, unless one checkpoint alone has more than fits", async (t) => {
  const { context, store } = await sealed(t, 2, 2, 7, 1);
  const times = { newest: "2027-01-01T00:00:00.000Z", waits: "2027-01-01T00:00:00.000Z" };
  const first_received_at = "2026-01-01T00:00:00.000Z";
  const chosen = async (archived_to: number, most: number, waits = times.waits) => {
    const stream = { stream_id: ONE_STREAM, tenant_id: BANK, archived_to, first_received_at };
    const range = await store.read((reader) => chooseRange(reader, stream, { ...times, waits }, most));
    return range === null ? null : [range.from_seq_no, range.to_seq_no];
  };
  assert.deepEqual(await chosen(0, 100), [1, 12]);
  assert.deepEqual(await chosen(0, 11), [1, 11]);
  assert.deepEqual(await chosen(0, 10), [1, 4]);
  assert.deepEqual(await chosen(0, 3), [1, 2]);
  assert.deepEqual(await chosen(4, 3), [5, 7]);
  assert.deepEqual(await chosen(7, 3), [8, 10]);
  assert.deepEqual(await chosen(10, 3), [11, 12]);
  assert.deepEqual(await chosen(12, 3), null);
  // A file that is not full yet waits.
  assert.deepEqual(await chosen(0, 100, "2020-01-01T00:00:00.000Z"), null);
  assert.deepEqual(await chosen(0, 10, "2020-01-01T00:00:00.000Z"), [1, 4]);
  assert.equal(context.databaseLocation, null);
});

test("a range whose file becomes too large is divided, and stays in the database where that does not help", async (t) => {
  const made = await sealed(t, 30);
  const { context } = made;
  const before = await receiptsOf(made);
  const real = archiveMakerOf(context);
  const maker: ArchiveMaker = {
    make: (order, stop) => {
      const { from_seq_no, to_seq_no } = order.range;
      // The first file of a small range fits, and no later one does.
      if (to_seq_no - from_seq_no > 7 || from_seq_no > 1) return Promise.reject(new PackageTooLarge("too large"));
      return real.make(order, stop);
    },
  };
  assert.equal(await archive(context, { days: 0, maker }), true);
  const { ranges, here } = await archivedRanges(context, ONE_STREAM);
  assert.deepEqual(ranges[0], [1, 8]);
  assert.equal(ranges.at(-1)?.[1], 30);
  assert.deepEqual(here[0], 9);
  assert.equal(archiveFiles(context).length, 1);
  assert.deepEqual(await receiptsOf(made), before);
  assert.deepEqual(await faultsOf(context), []);
});

test("an erased payload leaves the file, which verifies on; what is erased meanwhile is in no file", async (t) => {
  const made = await sealed(t, 4);
  const { context, store } = made;
  const rows = await store.read((reader) => eventsOfRange(reader, BANK, ONE_STREAM, 1, 4));
  const [first, second, third] = rows.map(({ stream_event_id }) => stream_event_id);
  const erase = eraser(context);
  const before = await receiptsOf(made);
  const real = archiveMakerOf(context);
  let isErased = false;
  const maker: ArchiveMaker = {
    make: async (order, stop) => {
      const answer = await real.make(order, stop);
      if (!isErased) await erase(first ?? "");
      isErased = true;
      return answer;
    },
  };
  assert.equal(await archive(context, { days: 0, maker }), true);
  assert.deepEqual((await archivedRanges(context, ONE_STREAM)).ranges, []);
  assert.equal(await archive(context), true);
  const [old] = archiveFiles(context);
  const holds = (id = "") => archiveFiles(context).some((name) => textOf(context, name).includes(`"${id}":{"payload"`));
  assert.deepEqual([first, second, third].map(holds), [false, true, true]);

  // The lifecycle stream has the record of the first erasure: its payload is never erased.
  await erase(second ?? "");
  const erasedAt = JSON.parse((await receiptsOf(made))[1] ?? "");
  assert.deepEqual([erasedAt.payload, erasedAt.payload_salt], [undefined, undefined]);
  assert.deepEqual(await faultsOf(context), []);
  assert.equal(await archive(context, { days: null }), true);
  const [file, ...others] = archiveFiles(context).filter((name) => name.startsWith(`${ONE_STREAM}.`));
  assert.deepEqual(others, []);
  assert.notEqual(file, old);
  assert.deepEqual([first, second, third].map(holds), [false, false, true]);
  const { publicKeyHex } = await store.read((reader) => context.signingKey.current(reader));
  assertVerified(textOf(context, file ?? ""), publicKeyHex, "bundle");
  const after = await receiptsOf(made);
  assert.deepEqual(after.slice(2), before.slice(2));
  assert.deepEqual((await erase(second ?? "")).lifecycle_record.payload?.stream_event_id, second);
  assert.deepEqual(await faultsOf(context), []);
});

function textOf({ folder }: Pick<Parameters<typeof archive>[0], "folder">, name: string): string {
  return readFileSync(join(folder.archivePath, name), "utf8");
}

test("a server that slept past its lease changes nothing, and leaves no file", async (t) => {
  const made = await sealed(t, 3);
  const { context, now } = made;
  const before = await receiptsOf(made);
  const real = archiveMakerOf(context);
  const maker: ArchiveMaker = {
    make: async (order, stop) => {
      const answer = await real.make(order, stop);
      now.seconds += 10;
      // The other server has the lease now, and finds the file of this one.
      assert.equal(await archive(context), true);
      return answer;
    },
  };
  const lease = new Lease(context, "archive");
  assert.equal(await lease.acquire(), true);
  // The file was removed under its hands, or the lease is lost: it depends on who comes first.
  await assert.rejects(
    new ArchiveJob(context, { days: 0, maker }).work(lease, never),
    (error: Error) => error instanceof LeaseLost || (error as NodeJS.ErrnoException).code === "ENOENT",
  );
  assert.equal(archiveFiles(context).length, 1);
  assert.deepEqual(await archivedRanges(context, ONE_STREAM), { ranges: [[1, 3]], here: [] });
  assert.deepEqual(await receiptsOf(made), before);
  assert.deepEqual(await faultsOf(context), []);
});
