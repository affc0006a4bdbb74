/** A spool on a full disk: its events leave all the same, and nothing that was acknowledged is lost. */
import assert from "node:assert/strict";
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { mountSmallDisk, NO_SMALL_DISK } from "@svc/testkit/small-disk";
import { SvcClient } from "../../src/index.ts";
import { FileSpool } from "../../src/node/index.ts";
import { startServer } from "../server.ts";

const root = mkdtempSync(join(tmpdir(), "svc-full-spool-"));
const disk = join(root, "disk");
process.once("exit", () => rmSync(root, { recursive: true }));
const skip = mountSmallDisk(disk, "1m") ? false : NO_SMALL_DISK;

const event = (name: string) => ({
  source_ref: name,
  event_type: "sensor.read",
  occurred_at: "2026-03-01T09:30:00Z",
  payload: { text: "x".repeat(400) },
});

test("events that have filled the disk leave it when the service is back, and others come in then", {
  skip,
}, async () => {
  const server = await startServer();
  let isThere = false;
  const sometimes: typeof fetch = (input, init) =>
    isThere ? fetch(input, init) : Promise.reject(new TypeError("the service is away"));
  const stream = new SvcClient({ ...server, fetch: sometimes, maxAttempts: 1 }).stream(server.streamId);
  const told: string[] = [];
  const open = () =>
    stream.openQueue({
      spool: new FileSpool({ folder: join(disk, "spool"), segmentBytes: 65_536 }),
      maxBatchEvents: 100,
      onReceipts: (receipts) => void told.push(...receipts.map(({ source_ref }) => source_ref)),
    });
  const first = await open();
  const spooled: string[] = [];
  const refused: unknown[] = [];
  for (let number = 1; refused.length < 10; number++)
    await stream.appendLater(event(`e-${number}`)).then(
      () => spooled.push(`e-${number}`),
      (error) => refused.push(error),
    );
  for (const error of refused) assert.equal((error as { code: string }).code, "spool_failed");
  assert.ok(spooled.length > 500);
  assert.throws(() => writeFileSync(join(disk, "filler"), Buffer.alloc(2 ** 20)), { code: "ENOSPC" });
  await first.close();

  const second = await open();
  await assert.rejects(stream.appendLater(event("late")), { code: "spool_failed" });
  isThere = true;
  await second.flush();
  assert.deepEqual(told, spooled);
  rmSync(join(disk, "filler"));
  await stream.appendLater(event("in time"));
  await second.flush();
  assert.deepEqual(told, [...spooled, "in time"]);
  await second.close();
});

test("a spool that could not be begun for want of room can be opened when there is some", { skip }, async () => {
  const filler = join(disk, "filler");
  let isRefused = false;
  // The lock fits and the first record does not; the number of free pages at which that happens differs by system.
  for (let pages = 0; pages < 8 && !isRefused; pages++) {
    const folder = join(disk, `begun-${pages}`);
    fillDisk(filler, pages * 4096);
    const spool = new FileSpool({ folder });
    const outcome = await spool.open("str_00000000000000000000000001").then(
      () => null,
      (error) => error as Error,
    );
    rmSync(filler);
    isRefused = /could be written/.test(outcome?.message ?? "");
    if (isRefused) assert.equal((await spool.open("str_00000000000000000000000001")).last, 0);
    if (outcome === null || isRefused) await spool.close();
    rmSync(folder, { recursive: true, force: true });
  }
  assert.ok(isRefused, "a first record that finds no room");
});

/** Fills the disk and leaves so many bytes free. */
function fillDisk(filler: string, free: number): void {
  const file = openSync(filler, "w");
  let size = 0;
  try {
    for (const page = Buffer.alloc(4096); ; ) size += writeSync(file, page);
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, "ENOSPC");
  }
  ftruncateSync(file, size - free);
  closeSync(file);
}
