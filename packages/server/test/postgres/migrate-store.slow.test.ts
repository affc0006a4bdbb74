/** The database of a deployment goes to a PostgreSQL server and back, and nobody who reads it sees a difference. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { newServerPlace, ON_NAMED } from "@svc/testkit/drivers";
import { moveToFile } from "../../src/moving/to-file.ts";
import { moveToServer } from "../../src/moving/to-server.ts";
import { movableDeployment, movingOf, rowsOfFile, rowsOfServer, settingsOf } from "./movable-deployment.ts";

test("there and back: every row, every answer and every repeated write is the same", ON_NAMED, async (t) => {
  const { folder, answers } = await movableDeployment();
  const place = await newServerPlace(t);
  const server = { place, name: "the database" };
  const before = await answers();
  assert.deepEqual(await answers(), before, "they are the same where nothing is moved");
  const good = [...before.values()].filter((answer) => answer.startsWith("20"));
  assert.ok(good.length > 100, `${good.length} of ${before.size} answers are no refusals`);
  const rows = rowsOfFile(join(folder, "svc.db"));
  const mark = readFileSync(join(folder, "progress.json"), "utf8");

  const moved = await moveToServer(movingOf(folder), server);
  assert.equal(moved.rows, Object.values(rows).flat().length);
  assert.deepEqual(await rowsOfServer(place), rows);
  assert.ok(!existsSync(join(folder, "svc.db")) && existsSync(join(folder, "svc.db.migrated")));
  assert.equal(readFileSync(join(folder, "progress.json"), "utf8"), mark);
  assert.deepEqual(await answers(settingsOf(place)), before);

  const there = await rowsOfServer(place);
  const back = await moveToFile(movingOf(folder), server);
  assert.equal(back.rows, Object.values(there).flat().length);
  assert.deepEqual(rowsOfFile(join(folder, "svc.db")), there);
  assert.deepEqual(await answers(), before);
  assert.deepEqual(
    readdirSync(folder)
      .filter((name) => /database|svc\.db/.test(name))
      .sort(),
    ["svc.db", "svc.db.migrated"],
  );
});
