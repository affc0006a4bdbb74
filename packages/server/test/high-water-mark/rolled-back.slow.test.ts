/**
 * The checks that keep a deployment from continuing at a point from which others have seen it continue before: one
 * server for a folder, and no start on an older database.
 */

import assert from "node:assert/strict";
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { findFork, type Json, pinKeys, referenceKernel } from "@svc/core";
import { ON_FILE } from "@svc/testkit/drivers";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { type Made, makeDeployment } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";

async function deployment(t: TestContext) {
  const folder = join(temporaryFolder(), "data");
  const made = await makeDeployment(folder);
  const start = async () => {
    const child = await startChild(t, folder);
    return { ...child, client: new Client(child.url, made.api_key ?? "") };
  };
  const refused = async (words: readonly string[], exitCode: number) => {
    const { code, out, err } = await command([...words, "--data", folder]);
    assert.deepEqual([code, out], [exitCode, ""], err);
    return err;
  };
  return { folder, made, start, refused };
}

function newStream(client: Client, { system_id }: Made) {
  return client.post("/v2/streams", { system_id, use_case: "loans", policy_id: "default", metadata: {} });
}

test("a second server on a folder is refused, whatever became of the first one", async (t) => {
  const { folder, start, refused } = await deployment(t);
  const first = await start();
  for (const name of readdirSync(folder)) {
    const stats = statSync(join(folder, name));
    assert.equal(stats.mode & 0o777, stats.isDirectory() ? 0o700 : 0o600, name);
  }
  assert.match(await refused(["start", "--port", "0"], 1), /Another svc-server serves .*--data/);
  assert.equal((await first.client.get("/health")).status, 200);
  assert.match(await refused(["accept-loss"], 1), /Another svc-server serves/);
  await first.end("SIGKILL");
  const second = await start();
  assert.equal((await second.client.get("/health")).status, 200);
});

test(
  "an older database is refused; after accept-loss its streams are closed and none ever forks",
  ON_FILE,
  async (t) => {
    const { folder, made, start, refused } = await deployment(t);
    const { stream_id } = made;
    const database = join(folder, "svc.db");
    const backup = join(temporaryFolder(), "backup: db");
    const handedOut: string[] = [];

    const first = await start();
    handedOut.push((await first.client.append(stream_id, loan(1), "event-1")).text);
    assert.equal(await first.end("SIGINT"), 0);
    copyFileSync(database, backup);

    const second = await start();
    const { body: lost, text } = await second.client.append(stream_id, loan(2), "event-2");
    handedOut.push(text);
    await second.client.witnessed(stream_id, 2);
    const pack = { stream_id, from_seq_no: 1, to_seq_no: 2 };
    handedOut.push((await second.client.post("/v2/audit/packs", pack)).text);
    assert.equal(await second.end("SIGINT"), 0);

    copyFileSync(backup, database);
    for (const suffix of ["-wal", "-shm"]) rmSync(`${database}${suffix}`, { force: true });
    const refusal = await refused(["start", "--port", "0"], 1);
    assert.ok(refusal.includes(lost.stream_event_id) && refusal.includes("accept-loss"), refusal);

    // All that they made would be gone with this database; a backup of it would look like a good one.
    for (const words of [
      ["tenants", "create", "--name", "Other"],
      ["keys", "create"],
      ["keys", "list"],
      ["keys", "rotate-signing"],
      ["backup", "--to", join(temporaryFolder(), "of-the-wrong-one")],
    ])
      assert.ok((await refused(words, 1)).includes(lost.stream_event_id), words.join(" "));
    assert.equal((await command(["audit-log", "--data", folder])).code, 0);

    const { code, out, err } = await command(["accept-loss", "--data", folder, "--json"]);
    assert.equal(code, 0, err);
    assert.deepEqual([JSON.parse(out).lost_event_id, JSON.parse(out).closed_streams], [lost.stream_event_id, 1]);
    const third = await start();
    const { client } = third;
    const appended = await client.append(stream_id, loan(3), "event-3");
    assert.deepEqual([appended.status, appended.body.detail.code], [409, "stream_closed"]);
    const { body: created } = await newStream(client, made);
    const { text: receipt } = await client.append(created.stream_id, loan(3), "event-3-again");
    assertVerified(receipt, made.public_key_hex, "receipt");
    // By the time the new stream is witnessed, the sealer would have sealed the old one as well.
    await client.witnessed(created.stream_id, 1);
    const { body: list } = await client.get("/v2/streams");
    assert.deepEqual(
      list.items.map(({ closed_at }: { closed_at: string | null }) => closed_at === null),
      [false, true],
    );
    for (const kind of ["windows", "checkpoints"]) {
      const { body } = await client.get(`/v2/streams/${stream_id}/${kind}`);
      handedOut.push(...body.items.map((item: Json) => JSON.stringify(item)));
    }
    const evidence = handedOut.map((one) => JSON.parse(one) as Json);
    const trust = pinKeys(referenceKernel, [made.public_key_hex]);
    for (const left of evidence)
      for (const right of evidence)
        assert.equal(
          findFork(left, right, {
            trust,
            fork_id: "frk_00000000000000000000000000",
            detected_at: "2026-03-01T00:00:00.000Z",
          }),
          null,
        );
    const logged = async (action: string) =>
      JSON.parse((await command(["audit-log", "--data", folder, "--json", "--action", action])).out).entries[0].detail;
    assert.equal((await logged("service.loss_noticed")).lost_event_id, lost.stream_event_id);
    // Tenants see no event in theirs: it may be another tenant's.
    assert.deepEqual(await logged("service.loss_accepted"), { closed_streams: 1 });
  },
);

test(
  "a database from before an erasure is refused: the payload would be back, and the lifecycle stream would fork",
  ON_FILE,
  async (t) => {
    const { folder, made, start, refused } = await deployment(t);
    const { out } = await command(["keys", "create", "--allow", "erase", "--data", folder, "--json"]);
    const backup = join(temporaryFolder(), "backup: db");
    const first = await start();
    const { body: record } = await first.client.append(made.stream_id, loan(1), "event-1");
    assert.equal(await first.end("SIGINT"), 0);
    copyFileSync(join(folder, "svc.db"), backup);

    const second = await start();
    const eraser = new Client(second.url, JSON.parse(out).api_key);
    const path = `/v2/streams/${made.stream_id}/events/${record.stream_event_id}/erase`;
    const { status, body: erased } = await eraser.post(path, { reason: "request 17" });
    assert.equal(status, 200);
    assert.equal(await second.end("SIGINT"), 0);

    copyFileSync(backup, join(folder, "svc.db"));
    for (const suffix of ["-wal", "-shm"]) rmSync(join(folder, `svc.db${suffix}`), { force: true });
    const refusal = await refused(["start", "--port", "0"], 1);
    assert.ok(refusal.includes(erased.lifecycle_record.stream_event_id), refusal);
  },
);

test("a kill right after a receipt is no loss; a damaged file of what was seen is refused with words", async (t) => {
  const { folder, made, start, refused } = await deployment(t);
  const first = await start();
  for (let number = 1; number <= 20; number++)
    await first.client.append(made.stream_id, loan(number), `event-${number}`);
  await first.end("SIGKILL");
  const second = await start();
  const { body: record } = await second.client.append(made.stream_id, loan(21), "event-21");
  assert.equal(record.seq_no, 21);
  const progress = join(folder, "progress.json");
  await until("the last event is noted beside the database", async () =>
    existsSync(progress) && readFileSync(progress, "utf8").includes(record.stream_event_id) ? true : null,
  );
  assert.equal(await second.end("SIGINT"), 0);
  assert.match(await refused(["accept-loss"], 64), /nothing is lost/);
  // The next start restores a note that a kill prevented, or that somebody removed, before anything else is recorded.
  const noted = readFileSync(progress, "utf8");
  for (const behind of [null, noted.replace(/"20\d\d-/, '"2020-')]) {
    if (behind === null) rmSync(progress);
    else writeFileSync(progress, behind);
    assert.equal(await (await start()).end("SIGINT"), 0);
    assert.equal(readFileSync(progress, "utf8"), noted);
  }
  // Another history has an event of the same id, and is still another one.
  writeFileSync(progress, noted.replace(record.event_hash, "ab".repeat(32)));
  assert.match(
    await refused(["start", "--port", "0"], 1),
    new RegExp(`event ${record.stream_event_id}, .* another hash`),
  );
  writeFileSync(progress, noted);
  const { origin, ...before } = JSON.parse(readFileSync(progress, "utf8"));
  assert.equal(origin, made.origin);
  // This is no loss, for which all streams would be closed.
  for (const words of [["start", "--port", "0"], ["accept-loss"]]) {
    writeFileSync(progress, JSON.stringify({ ...before, stream_event_id: "sev_other", origin: "other.example" }));
    assert.match(await refused(words, 1), /progress\.json is of another deployment, other\.example/);
  }
  writeFileSync(progress, JSON.stringify(before));
  assert.match(await refused(["accept-loss"], 64), /nothing is lost/, "as an earlier release wrote it");
  for (const damaged of ["", "{}", '{"stream_event_id":1}', "null"]) {
    writeFileSync(progress, damaged);
    assert.match(await refused(["start", "--port", "0"], 1), /progress\.json is damaged/);
  }
});
