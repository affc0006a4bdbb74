/** Two backups to one name at the same time: the slower one is refused, whenever the other gets its name. */
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

for (const point of ["backup: folder made", "lock: file made"])
  test(`a backup whose folder gets its name from another process is refused, and leaves that one alone (${point})`, async (t) => {
    const { made, database } = await openDeployment(t);
    const folder = openDataFolder(made.data_folder);
    const to = join(temporaryFolder(), "nightly");
    const options = { to, passphrase: null, kernel, clock: systemClock };
    const other = (name: unknown) => {
      if (name === point) renameSync(`${to}.unfinished`, to);
    };
    subscribe("svc.failpoint", other);
    t.after(() => unsubscribe("svc.failpoint", other));
    await assert.rejects(makeBackup({ folder, database, embedded: null }, options), {
      name: "DataFolderError",
      message: /just being made by another process/,
    });
    assert.ok(!existsSync(`${to}.unfinished`));
    // The process that names the folder takes the lock's file away.
    assert.deepEqual(
      readdirSync(to).filter((name) => name !== "backup.lock"),
      [],
    );
  });
