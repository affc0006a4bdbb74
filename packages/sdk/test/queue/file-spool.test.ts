/** The spool in a folder: its files, the rest of an interrupted write, and damage. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { EventReader } from "../../src/node/event-reader.ts";
import { encodeRecord } from "../../src/node/frame.ts";
import { FileSpool } from "../../src/node/index.ts";
import { QueueError } from "../../src/queue/index.ts";
import { behavesAsSpool, numbersOf, range, STREAM, spooled } from "./spool-behaviour.ts";

const root = mkdtempSync(join(tmpdir(), "svc-spool-"));
after(() => rmSync(root, { recursive: true }));
let folders = 0;

function freshFolder(): string {
  folders += 1;
  return join(root, `${folders}`);
}

const folderOf = new WeakMap<object, string>();
function spoolIn(folder: string, segmentBytes?: number): FileSpool {
  const spool = new FileSpool({ folder, ...(segmentBytes === undefined ? {} : { segmentBytes }) });
  folderOf.set(spool, folder);
  return spool;
}

for (const [name, segmentBytes] of [
  ["in one file", undefined],
  ["in many files", 1],
] as const)
  behavesAsSpool(
    `a spool ${name}`,
    () => spoolIn(freshFolder(), segmentBytes),
    async (spool) => {
      await spool.close();
      return spoolIn(folderOf.get(spool) ?? "", segmentBytes);
    },
  );

function filesOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".spool"))
    .sort();
}

const ALL = { events: 1000, bytes: Number.POSITIVE_INFINITY };

test("the bytes are those of the page, which other languages read", async () => {
  const page = readFileSync(new URL("../../../../docs/append-queue.md", import.meta.url), "utf8");
  const [, block = ""] = /```spool\n(.*?)\n```/s.exec(page) ?? [];
  const wanted = block.split("\n").map((line) => {
    return Buffer.concat([Buffer.from(line.slice(0, 24), "hex"), Buffer.from(line.slice(25).replaceAll("\\n", "\n"))]);
  });
  const folder = freshFolder();
  const spool = spoolIn(folder);
  await spool.open(STREAM);
  const at = 1772357400000;
  await spool.add([
    { text: '{"a":1}', bytes: 7, at, key: "k1" },
    { text: "{}", bytes: 2, at: at + 1 },
  ]);
  await spool.keepBatch({ key: "5f0c", first: 1, last: 2, madeAt: at + 2 });
  await spool.settle(2, 7);
  await spool.close();
  assert.equal(wanted.length, 4);
  assert.deepEqual(readFileSync(join(folder, "0000000001.spool")), Buffer.concat(wanted));
});

/** Makes a spool with events 1 to 6 in two writes; returns the path of its only file. */
async function written(folder: string): Promise<string> {
  const spool = spoolIn(folder);
  await spool.open(STREAM);
  await spool.add(range(1, 3).map((number) => spooled(number)));
  await spool.add(range(4, 6).map((number) => spooled(number)));
  await spool.close();
  const [file = assert.fail("no file")] = filesOf(folder);
  return join(folder, file);
}

test("files go when their events have left, and are closed to others", async () => {
  const folder = freshFolder();
  const spool = spoolIn(folder, 1);
  await spool.open(STREAM);
  for (const number of range(1, 5)) await spool.add([spooled(number)]);
  assert.equal(filesOf(folder).length, 5);
  for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  await spool.settle(2, 2);
  assert.equal(filesOf(folder).length, 3);
  assert.deepEqual(numbersOf(await spool.read(3, ALL)), [3, 4, 5]);
  await spool.settle(5, 5);
  assert.equal(filesOf(folder).length, 1);
  await spool.add([spooled(6)]);
  assert.deepEqual(numbersOf(await spool.read(6, ALL)), [6]);
  await spool.close();
});

test("a write that was cut off anywhere is cut off the file, and what was there before stays", async () => {
  const folder = freshFolder();
  const file = await written(folder);
  const whole = readFileSync(file);
  const cut = freshFolder();
  const spool = spoolIn(cut);
  await spool.open(STREAM);
  await spool.add(range(1, 3).map((number) => spooled(number)));
  await spool.close();
  const before = readFileSync(join(cut, filesOf(cut)[0] ?? "")).length;
  // The write is cut off, or cut off with its full length: pages that never reached the disk.
  const zeros = (size: number) => Buffer.concat([whole.subarray(0, size), Buffer.alloc(whole.length - size)]);
  for (let size = before; size < whole.length; size += 7) {
    for (const bytes of [whole.subarray(0, size), zeros(size)]) {
      writeFileSync(file, bytes);
      const torn = spoolIn(folder);
      const { last, cutBytes } = await torn.open(STREAM);
      assert.deepEqual([last, cutBytes], [3, bytes.length - before], `cut off at ${size}`);
      assert.equal(statSync(file).size, before);
      await torn.add([spooled(4)]);
      assert.deepEqual(numbersOf(await torn.read(1, ALL)), range(1, 4));
      await torn.close();
    }
  }
});

test("a folder that cannot be used is said to be one, whatever the system calls it", async () => {
  mkdirSync(freshFolder());
  const file = join(root, `${folders}`, "file");
  writeFileSync(file, "");
  const lockedOut = freshFolder();
  mkdirSync(join(lockedOut, "spool.lock"), { recursive: true });
  const unreadable = freshFolder();
  mkdirSync(join(unreadable, "0000000001.spool"), { recursive: true });
  for (const folder of [file, join(file, "below"), lockedOut, unreadable])
    await assert.rejects(spoolIn(folder).open(STREAM), (error) => {
      assert.ok(error instanceof QueueError && error.code === "spool_failed", String(error));
      assert.ok(error.message.includes(folder) && error.cause instanceof Error, error.message);
      return true;
    });
  // The lock was released.
  rmdirSync(join(unreadable, "0000000001.spool"));
  const spool = spoolIn(unreadable);
  await spool.open(STREAM);
  await spool.close();
});

test("what a write that fails has left is never read, also where it is read meanwhile", async () => {
  const folder = freshFolder();
  mkdirSync(folder);
  const path = join(folder, "1.spool");
  const recordOf = (first: number, texts: readonly string[]) =>
    encodeRecord(
      { kind: "events", first, count: texts.length, at: 0, synced: 0 },
      texts.map((text) => ({ text, bytes: text.length })),
    );
  const [one, cutOff, two, three] = [
    recordOf(1, ['{"n":1}']),
    recordOf(2, [`{"text":"${"x".repeat(500)}"}`]).subarray(0, 400),
    recordOf(2, ['{"n":2}']),
    recordOf(3, ['{"n":3}']),
  ];
  let written = one.length;
  const reader = new EventReader(
    () => [{ path, number: 1, before: 0 }],
    () => written,
  );
  const read = async (position: number) => (await reader.from(position)).map(({ text }) => text);
  writeFileSync(path, Buffer.concat([one, cutOff]));
  assert.deepEqual(await read(1), ['{"n":1}']);
  await assert.rejects(read(2), { code: "spool_failed" }, "which nobody asks for: it was not added");
  truncateSync(path, written);
  writeFileSync(path, Buffer.concat([one, two, three]));
  written = one.length + two.length + three.length;
  assert.deepEqual([await read(2), await read(3)], [['{"n":2}'], ['{"n":3}']]);
  await reader.close();
});

test("a file that was not begun is taken away", async () => {
  for (const size of [0, 5, 30]) {
    const folder = freshFolder();
    const first = await written(folder);
    const next = join(folder, "0000000002.spool");
    writeFileSync(next, readFileSync(first).subarray(0, size));
    const spool = spoolIn(folder, 1);
    assert.deepEqual([(await spool.open(STREAM)).last, filesOf(folder).length], [6, 1]);
    await spool.add([spooled(7)]);
    assert.deepEqual([numbersOf(await spool.read(1, ALL)), filesOf(folder).length], [range(1, 7), 2]);
    await spool.close();
    const alone = freshFolder();
    cpSync(folder, alone, { recursive: true });
    for (const name of filesOf(alone)) unlinkSync(join(alone, name));
    writeFileSync(join(alone, "0000000001.spool"), readFileSync(first).subarray(0, size));
    const empty = spoolIn(alone);
    assert.equal((await empty.open(STREAM)).last, 0);
    await empty.close();
  }
});

test("damage to what was on the disk is refused, with its place", async () => {
  const folder = freshFolder();
  const file = await written(folder);
  const whole = readFileSync(file);
  const spool = spoolIn(folder);
  for (let at = 0; at < whole.length; at++) {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ 0x11;
    writeFileSync(file, bytes);
    await assert.rejects(spool.open(STREAM), (error: Error) => {
      assert.match(`${error}`, /^QueueError: .*0000000001\.spool, byte \d+: a record is damaged\./, `byte ${at}`);
      return true;
    });
  }
  // Makes a hole in bytes that, by a later record, were on the disk.
  writeFileSync(file, Buffer.from(whole).fill(0, 20, 60));
  await assert.rejects(spool.open(STREAM), { code: "spool_corrupt" });
});

test("a file that is missing, or not behind the one before it, is noticed", async () => {
  const folder = freshFolder();
  const spool = spoolIn(folder, 1);
  await spool.open(STREAM);
  for (const number of range(1, 4)) await spool.add([spooled(number)]);
  await spool.close();
  const files = filesOf(folder);
  const [, second = "", third = ""] = files;
  for (const change of [
    (copy: string) => unlinkSync(join(copy, second)),
    (copy: string) => cpSync(join(copy, third), join(copy, second)),
    (copy: string) => truncateSync(join(copy, second), statSync(join(copy, second)).size - 1),
    (copy: string) => truncateSync(join(copy, second), 0),
  ]) {
    const copy = freshFolder();
    cpSync(folder, copy, { recursive: true });
    change(copy);
    await assert.rejects(spoolIn(copy).open(STREAM), { code: "spool_corrupt" });
  }
});

test("two processes do not use one spool, and the lock ends with its process", async () => {
  const folder = freshFolder();
  const program = `const { FileSpool } = await import(${JSON.stringify(import.meta.resolve("../../src/node/index.ts"))});
    await new FileSpool({ folder: ${JSON.stringify(folder)} }).open(${JSON.stringify(STREAM)});
    console.log("open");
    setInterval(() => {}, 1000);`;
  const words = ["--input-type=module", "-e", program];
  const cwd = fileURLToPath(new URL("../../../..", import.meta.url));
  const child = spawn(process.execPath, words, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  await Promise.race([once(child.stdout, "data"), ended.then(() => assert.fail("it ended"))]);
  const spool = spoolIn(folder);
  await assert.rejects(spool.open(STREAM), { code: "spool_in_use" });
  child.kill("SIGKILL");
  await ended;
  await spool.open(STREAM);
  await spool.close();
});
