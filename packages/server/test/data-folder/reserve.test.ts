/** The room that is kept beside the database for a start on a full disk. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { hasReserve, RESERVE, RESERVE_BYTES, Reserve } from "../../src/data-folder/reserve.ts";

test("it is taken whole, given up, and taken again", () => {
  const folder = temporaryFolder();
  const path = join(folder, RESERVE);
  const reserve = new Reserve(folder);
  assert.equal(reserve.take(), true);
  assert.deepEqual([hasReserve(path), statSync(path).mode & 0o777], [true, 0o600]);
  reserve.giveUp();
  assert.deepEqual([hasReserve(path), existsSync(path)], [false, false]);
  assert.equal(reserve.take(), true);
  // An existing reserve takes no more room.
  assert.equal(reserve.take(), true);
  assert.deepEqual(readdirSync(folder), [RESERVE]);
});

test("a part of the reserve does not count, and is made whole", () => {
  const folder = temporaryFolder();
  const path = join(folder, RESERVE);
  writeFileSync(path, new Uint8Array(RESERVE_BYTES));
  truncateSync(path, RESERVE_BYTES - 1);
  assert.equal(hasReserve(path), false);
  assert.equal(new Reserve(folder).take(), true);
  assert.equal(hasReserve(path), true);
});

test("where it cannot be taken, that is an answer and no error, and closing ends the wait for it", () => {
  const folder = temporaryFolder();
  // A folder is in its way, and cannot be removed as a file.
  mkdirSync(join(folder, RESERVE));
  const reserve = new Reserve(folder);
  assert.equal(reserve.take(), false);
  reserve.close();
  assert.deepEqual(readdirSync(folder), [RESERVE]);
});
