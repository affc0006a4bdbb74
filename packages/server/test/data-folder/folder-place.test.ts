/**
 * The place of a data folder at the last start: the compared values, the words about a move, and unreadable files,
 * which count as missing.
 */
import assert from "node:assert/strict";
import { copyFileSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { findPlace, PLACE, rememberPlace } from "../../src/data-folder/place.ts";

/** Returns a folder with its own database and machine. */
function newPlace() {
  const folder = temporaryFolder();
  const paths = { folder, database: join(folder, "svc.db"), machine: join(folder, "machine-id") };
  writeFileSync(paths.database, "rows");
  writeFileSync(paths.machine, "11aa\n");
  return { ...paths, find: () => findPlace(folder, paths.database, paths.machine) };
}

test("a first start has nothing to compare with; a second one finds what was written down", () => {
  const { folder, database, find } = newPlace();
  const { dev, ino } = statSync(database, { bigint: true });
  const place = { device: `${dev}`, inode: `${ino}`, machine_id: "11aa" };
  assert.deepEqual(find(), { place, moved: null, isNew: true });
  rememberPlace(folder, place);
  assert.equal(readFileSync(join(folder, "place.json"), "utf8"), `${JSON.stringify(place)}\n`);
  assert.deepEqual(find(), { place, moved: null, isNew: false });
});

test("a copy of the database, another file system and another machine are each named, and so are all three", () => {
  const { folder, database, machine, find } = newPlace();
  const { place } = find();
  const another = (known: object) => {
    writeFileSync(join(folder, PLACE), JSON.stringify({ ...place, ...known }));
    const { moved, isNew } = find();
    assert.equal(isNew, true);
    const beginning = `${folder} is in another place than at the last start: another `;
    assert.ok(moved !== null);
    assert.ok(moved.startsWith(beginning), moved);
    assert.match(moved, /If it is a copy, stop one of the two/);
    return moved.slice(beginning.length).split(". ")[0];
  };
  assert.equal(another({ device: "0" }), "file system");
  assert.equal(another({ machine_id: "22bb" }), "machine");
  assert.equal(another({ machine_id: null }), "machine");
  assert.equal(
    another({ device: "0", inode: "0", machine_id: null }),
    "file system, another database file, another machine",
  );
  rememberPlace(folder, place);
  copyFileSync(database, `${database}.copy`);
  renameSync(`${database}.copy`, database);
  assert.match(find().moved ?? "", /at the last start: another database file\. /);
  writeFileSync(machine, " \n");
  assert.equal(find().place.machine_id, null, "an empty identifier does not count");
  rmSync(machine);
  assert.equal(find().place.machine_id, null);
});

test("what was written down and cannot be read counts as nothing, and is written anew", () => {
  const { folder, find } = newPlace();
  const { place } = find();
  const { device: _device, ...withoutDevice } = place;
  const { inode: _inode, ...withoutInode } = place;
  const spoiled = [withoutDevice, withoutInode, { ...place, device: 1 }, { ...place, inode: 1 }, null, 1, []];
  for (const text of ["", "{", ...spoiled.map((value) => JSON.stringify(value))]) {
    writeFileSync(join(folder, PLACE), text);
    assert.deepEqual(find(), { place, moved: null, isNew: true }, text);
  }
});
