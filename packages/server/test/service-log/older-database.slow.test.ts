/** A database that lacks an epoch which was published is refused, even where it has every event and checkpoint. */
import assert from "node:assert/strict";
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ON_FILE } from "@svc/testkit/drivers";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";
import { epochOver } from "./epochs.ts";

const HOUR = { SVC_EPOCH_INTERVAL_MS: "3600000" };
const OFTEN = { SVC_EPOCH_INTERVAL_MS: "20" };

test(
  "a database that was put back behind an epoch is refused; accept-loss ends the service log",
  ON_FILE,
  async (t) => {
    const home = temporaryFolder();
    const [data, snapshot] = [join(home, "data"), join(home, "svc.db")];
    const made = await makeDeployment(data);
    const start = async (settings: Record<string, string>) => {
      const child = await startChild(t, data, { SVC_LOG_LEVEL: "silent", ...settings });
      return { ...child, client: new Client(child.url, made.api_key ?? "") };
    };
    const run = (...words: string[]) => command([...words, "--data", data]);
    const first = await start(HOUR);
    await first.client.append(made.stream_id, loan(1));
    await epochOver(first.client, (await first.client.witnessed(made.stream_id, 1)).latest_checkpoint_id);
    await first.client.append(made.stream_id, loan(2));
    const { latest_checkpoint_id } = await first.client.witnessed(made.stream_id, 2);
    assert.equal(await first.end("SIGTERM"), 0);
    copyFileSync(join(data, "svc.db"), snapshot);
    const second = await start(OFTEN);
    const published = await epochOver(second.client, latest_checkpoint_id);
    assert.equal(await second.end("SIGTERM"), 0);
    assert.deepEqual((await run("fsck")).out, "Nothing is wrong.\n");

    for (const name of ["svc.db-wal", "svc.db-shm"]) rmSync(join(data, name), { force: true });
    copyFileSync(snapshot, join(data, "svc.db"));
    const refused = await run("start", "--port", "0");
    assert.equal(refused.code, 1, refused.out);
    for (const part of ["the epoch of the service log over 2 checkpoints", "witness.db", "is not in it", "accept-loss"])
      assert.ok(refused.err.includes(part), refused.err);
    const faulty = await run("fsck");
    assert.match(faulty.out, /witness\.db .*an epoch over 2 checkpoints was published, and it is missing/);

    const accepted = await run("accept-loss", "--json");
    assert.equal(JSON.parse(accepted.out).lost_epoch_of_size, 2, accepted.err);
    const third = await start(OFTEN);
    const request = { system_id: made.system_id, use_case: "loans", policy_id: "default", metadata: {} };
    const { body } = await third.client.post("/v2/streams", request);
    await third.client.append(body.stream_id, loan(1), "after-the-loss");
    const { latest_checkpoint_id: later } = await third.client.witnessed(body.stream_id, 1);
    await until("the later checkpoint is in the log", async () => {
      const { out } = await run("doctor");
      return /service log +3 checkpoints, epoch 1 .*Epochs ended at/.test(out) ? out : null;
    });
    const { status } = await third.client.get(`/v2/anchors/latest?checkpoint=${later}`);
    assert.equal(status, 404);
    const pack = await third.client.post("/v2/audit/packs", {
      stream_id: body.stream_id,
      from_seq_no: 1,
      to_seq_no: 1,
    });
    assertVerified(pack.text, made.public_key_hex, "bundle");
    assert.deepEqual(pack.body.artifacts["anchors.json"], []);
    assert.equal((await third.client.get("/v2/anchors/latest")).body.epoch_no, published.epoch_no - 1);
    assert.equal(await third.end("SIGTERM"), 0);
    assert.deepEqual((await run("fsck")).out, "Nothing is wrong.\n");
  },
);
