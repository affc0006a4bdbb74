/** A database that the deployment has left is refused: to those that are served it is one that cannot be reached. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { serviceTime } from "@svc/host/clock";
import { migrate, StoreUnavailable, soleSchema } from "@svc/host/store";
import { newServerPlace, ON_NAMED } from "@svc/testkit/drivers";
import { DataFolderError } from "../../src/data-folder/data-folder.ts";
import { openDatabaseAt } from "../../src/deployment/database.ts";
import { insertStoreMigration } from "../../src/deployment/store-migration.ts";
import { MIGRATIONS } from "../../src/migrations/all.ts";

test("it is 503 under a running server, and a fault of the folder to a start and a command", ON_NAMED, async (t) => {
  const place = await newServerPlace(t);
  const opened = async (check?: () => (() => Promise<void>) | null) => {
    const { database } = await openDatabaseAt(place, check === undefined ? {} : { check });
    t.after(() => database.close());
    return database;
  };
  const first = await opened();
  await migrate(first, () => serviceTime(0), [soleSchema(MIGRATIONS)]);
  await first.write((writer) =>
    insertStoreMigration(writer, {
      state: "left",
      move_id: "mov_1",
      evidence_origin: "a.example",
      pepper_mac: "0".repeat(64),
      holder: "nobody",
      begun_at: serviceTime(0),
      other: "elsewhere",
    }),
  );
  const write = async (check?: () => (() => Promise<void>) | null) =>
    (await opened(check)).write((writer) => writer.run("UPDATE tenants SET name = name"));
  await assert.rejects(
    write(() => async () => undefined),
    (error) => {
      assert.ok(error instanceof StoreUnavailable, String(error));
      assert.match(error.message, /^This database of a\.example is not served any more/);
      return true;
    },
  );
  for (const check of [undefined, () => null])
    await assert.rejects(write(check), (error) => error instanceof DataFolderError);
});
