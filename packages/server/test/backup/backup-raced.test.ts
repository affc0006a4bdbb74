/** Two backups to one name at the same time: the slower one is told so, whenever the other gets its name. */
import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { existsSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { systemClock } from "@svc/host/clock";
import { openDeployment } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { makeBackup } from "../../src/backup/make-backup.ts";
import { openDataFolder } from "../../src/data-folder/data-folder.ts";
import { kernel } from "../../src/kernel.ts";

test("a backup whose folder gets its name from another process meanwhile is refused, and leaves that one alone", async (t) => {
  const { made, database } = await openDeployment(t);
  const folder = openDataFolder(made.data_folder);
  const to = join(temporaryFolder(), "nightly");
  const options = { to, passphrase: null, kernel, clock: systemClock };
  const other = (name: unknown) => {
    if (name === "backup: folder made") renameSync(`${to}.unfinished`, to);
  };
  subscribe("svc.failpoint", other);
  t.after(() => unsubscribe("svc.failpoint", other));
  await assert.rejects(makeBackup({ folder, database, embedded: null }, options), {
    name: "DataFolderError",
    message: /just being made by another process/,
  });
  assert.ok(!existsSync(`${to}.unfinished`));
  assert.deepEqual(readdirSync(to), []);
});
