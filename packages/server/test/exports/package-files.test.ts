/** The files of packages: their names, reading a part of one, and removing files during a reading. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, readlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { type OpenPackage, PackageFiles } from "../../src/exports/package-files.ts";

const ONE = { export_id: "exp_one", build_no: 2 };
const OTHER = { export_id: "exp_other", build_no: 1 };
/** Longer than one read, and without two equal halves. */
const BYTES = Buffer.from(Array.from({ length: 600_001 }, (_, at) => (at * 7 + (at >> 8)) % 251));

function made() {
  const folder = temporaryFolder();
  const files = new PackageFiles(folder);
  writeFileSync(files.pathOf(ONE), BYTES);
  writeFileSync(files.workPathOf(ONE, "events"), "a part");
  writeFileSync(files.pathOf(OTHER), "another");
  const names = () => readdirSync(folder).sort();
  return { folder, files, names };
}

async function opened(files: PackageFiles): Promise<OpenPackage> {
  const file = await files.open(ONE);
  assert.ok(file !== null);
  return file;
}

async function read(file: OpenPackage, start: number, end: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of file.pieces({ start, end })) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Returns whether this process has a file open. */
function isOpen(path: string): boolean {
  return readdirSync("/proc/self/fd").some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      // This is the descriptor of the listing itself.
      return false;
    }
  });
}

test("a part has its bytes, from the first to the last; the file is closed at their end", async () => {
  const { files } = made();
  const last = BYTES.length - 1;
  for (const [start, end] of [
    [0, last],
    [0, 0],
    [last, last],
    [262_143, 262_144],
    [1, 524_289],
  ] as const) {
    const file = await opened(files);
    assert.equal(file.sizeBytes, BYTES.length);
    assert.deepEqual(await read(file, start, end), BYTES.subarray(start, end + 1), `${start} to ${end}`);
    if (process.platform === "linux") assert.equal(isOpen(files.pathOf(ONE)), false);
  }
});

test("a package is absent, or has its size; another error is one", async () => {
  const { files, folder } = made();
  assert.deepEqual([await files.sizeOf(ONE), await files.sizeOf({ ...ONE, build_no: 3 })], [BYTES.length, null]);
  if (process.platform === "linux") assert.equal(isOpen(files.pathOf(ONE)), false);
  assert.equal(await files.open({ ...ONE, build_no: 3 }), null);
  const within = new PackageFiles(join(folder, "exp_other.1.zip"));
  await assert.rejects(within.sizeOf(ONE), { code: "ENOTDIR" });
  await assert.rejects(within.open(ONE), { code: "ENOTDIR" });
});

test("a package that is shorter than it was ends its reading with an error", async () => {
  const { files } = made();
  const file = await opened(files);
  truncateSync(files.pathOf(ONE), 1000);
  await assert.rejects(read(file, 0, BYTES.length - 1), /shorter than it was/);
});

test("taking an export away ends every reading of it, and of no other", async () => {
  const { files, names } = made();
  const [first, second, closed, other] = [
    await opened(files),
    await opened(files),
    await opened(files),
    await files.open(OTHER),
  ];
  const begun = first.pieces({ start: 0, end: BYTES.length - 1 })[Symbol.asyncIterator]();
  assert.equal((await begun.next()).done, false);
  await closed.close();
  await files.remove(ONE.export_id);
  assert.deepEqual(names(), ["exp_other.1.zip"]);
  await assert.rejects(begun.next(), /the package was removed/);
  await assert.rejects(read(second, 0, 0), /the package was removed/);
  assert.ok(other !== null);
  assert.equal(`${await read(other, 0, 6)}`, "another");
  await files.remove(ONE.export_id);
});

test("a build that is over leaves its package or nothing; what nobody names is swept away", async () => {
  const { files, names, folder } = made();
  writeFileSync(files.pathOf({ ...ONE, build_no: 20 }), "a later build");
  await files.discard(ONE, { andPackage: false });
  assert.deepEqual(names(), ["exp_one.2.zip", "exp_one.20.zip", "exp_other.1.zip"]);
  await files.discard(ONE, { andPackage: true });
  assert.deepEqual(names(), ["exp_one.20.zip", "exp_other.1.zip"]);
  await files.sweep([OTHER]);
  assert.deepEqual(names(), ["exp_other.1.zip"]);
  await files.prepare();
  assert.equal(readFileSync(join(folder, "exp_other.1.zip"), "utf8"), "another");
});
