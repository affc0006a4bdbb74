/** A database that lacks what its witness has signed is refused, even where it has every event. */
import assert from "node:assert/strict";
import { copyFileSync, cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ON_FILE } from "@svc/testkit/drivers";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";

test(
  "a database that is older than what its witness has signed is refused, until the loss is accepted",
  ON_FILE,
  async (t) => {
    const home = temporaryFolder();
    const [data, snapshot] = [join(home, "data"), join(home, "svc.db")];
    const made = await makeDeployment(data);
    const start = async () => {
      const child = await startChild(t, data, { SVC_LOG_LEVEL: "silent" });
      return { ...child, client: new Client(child.url, made.api_key ?? "") };
    };
    const first = await start();
    await first.client.append(made.stream_id, loan(1), "event-1");
    assert.equal(await first.end("SIGTERM"), 0);
    copyFileSync(join(data, "svc.db"), snapshot);
    const backup = await command(["backup", "--to", join(home, "backup"), "--data", data]);
    assert.equal(backup.code, 0, backup.err);
    const second = await start();
    await second.client.witnessed(made.stream_id, 1);
    assert.equal(await second.end("SIGTERM"), 0);
    const run = (...words: string[]) => command([...words, "--data", data]);
    assert.equal((await run("fsck")).code, 0);

    // The event is in it, and so is all that progress.json knows of.
    for (const name of ["svc.db-wal", "svc.db-shm"]) rmSync(join(data, name), { force: true });
    copyFileSync(snapshot, join(data, "svc.db"));
    const refused = await run("start", "--port", "0");
    assert.equal(refused.code, 1, refused.out);
    const origin = `${made.origin}/${made.stream_id}`;
    for (const part of [`the checkpoint of ${origin} over 1 windows`, "witness.db", "is not in it", "accept-loss"])
      assert.ok(refused.err.includes(part), refused.err);
    assert.match((await run("doctor")).out, /fail +witness .*is not in it/);
    const faulty = await run("fsck");
    assert.equal(faulty.code, 1);
    assert.match(faulty.out, /witness\.db .*signed 1 windows, and no checkpoint is over so many/);

    assert.match(faulty.err, /older, or was changed\. Put the newer one back/);

    // A backup of before, with the keys of the folder: the memory comes along, and so does the refusal.
    const restored = join(home, "restored");
    const progress = join(data, "progress.json");
    const files = ["--from", join(home, "backup"), "--keys", data, "--progress", progress, "--data", restored];
    const restore = await command(["restore", ...files, "--json"]);
    assert.equal(JSON.parse(restore.out).loss?.lost_window_count, 1, `${restore.out}${restore.err}`);
    const alsoRefused = await command(["start", "--port", "0", "--data", restored]);
    assert.deepEqual([alsoRefused.code, alsoRefused.err.includes("witness.db")], [1, true], alsoRefused.err);

    const accepted = await run("accept-loss", "--json");
    const { lost_checkpoint_of, lost_window_count, closed_streams } = JSON.parse(accepted.out);
    assert.deepEqual([lost_checkpoint_of, lost_window_count, closed_streams], [made.stream_id, 1, 1], accepted.err);
    const { client } = await start();
    assert.equal((await client.append(made.stream_id, loan(2), "event-2")).body.detail.code, "stream_closed");
    const { body } = await client.post("/v2/streams", {
      system_id: made.system_id,
      use_case: "loans",
      policy_id: "default",
      metadata: {},
    });
    await client.append(body.stream_id, loan(1), "event-1-again");
    await client.witnessed(body.stream_id, 1);

    const copy = join(home, "copy");
    cpSync(data, copy, { recursive: true });
    writeFileSync(join(copy, "witness.db"), "no database, but as long as the head of one".repeat(10));
    for (const name of ["witness.db-wal", "witness.db-shm"]) rmSync(join(copy, name), { force: true });
    const damaged = await command(["fsck", "--data", copy]);
    assert.match(
      `${damaged.out}${damaged.err}`,
      /witness\.db \{\}: .* is damaged: .*nobody can tell here whether it is older/s,
    );
  },
);
