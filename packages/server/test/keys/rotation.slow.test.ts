/**
 * Rotation of the sealing key beside a running server: nothing is refused, each number has one key, and both old and
 * new evidence verify.
 */

import assert from "node:assert/strict";
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import type { PublicKeyHex } from "@svc/core";
import { command, killedAt, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { configOf } from "@svc/testkit/server/folder-database";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment, startServer } from "@svc/testkit/server/running-server";
import { assertVerified, report } from "@svc/testkit/server/verified";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { failpointsOfServer } from "../../../../tools/chaos/failpoints.ts";
import { kernel } from "../../src/kernel.ts";
import { serve } from "../../src/serving/serve.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";

async function run(folder: string, ...words: string[]) {
  const { code, out, err } = await command([...words, "--data", folder, "--json"]);
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

async function deployment(t: TestContext) {
  const folder = join(temporaryFolder(), "data");
  const made = await makeDeployment(folder);
  const start = async () => {
    const child = await startChild(t, folder);
    return { ...child, client: new Client(child.url, made.api_key ?? "") };
  };
  return { folder, made, start };
}

test("beside a running server that appends: no request fails, and no event is without the key of its number", async (t) => {
  const { folder, made, start } = await deployment(t);
  const { client } = await start();
  const { stream_id } = made;
  const texts: string[] = [];
  let rotated = 0;
  const write = async (writer: number) => {
    for (let number = 0; rotated < 2; number++) {
      const { status, text } = await client.append(stream_id, loan(number), `${writer}-${number}`);
      assert.equal(status, 201, text);
      texts.push(text);
    }
  };
  const writers = [1, 2, 3, 4].map(write);
  const first = await run(folder, "keys", "rotate-signing");
  rotated = 1;
  const second = await run(folder, "keys", "rotate-signing");
  rotated = 2;
  await Promise.all(writers);
  texts.push((await client.append(stream_id, loan(0), "after-both")).text);
  assert.deepEqual([first.replaces, second.replaces], [made.kid, first.kid]);

  const byKid = new Map<string, number[]>();
  for (const text of texts) {
    const { seq_no, receipt } = JSON.parse(text);
    byKid.set(receipt.kid, [...(byKid.get(receipt.kid) ?? []), seq_no]);
  }
  assert.deepEqual([...byKid.keys()].sort(), [made.kid, first.kid, second.kid].sort());
  const [ones, twos, threes] = [made.kid, first.kid, second.kid].map((kid) => byKid.get(kid) ?? []);
  assert.ok(Math.max(...(ones ?? [])) < Math.min(...(twos ?? [])), "the second key begins where the first ended");
  assert.ok(Math.max(...(twos ?? [])) < Math.min(...(threes ?? [])), "the third key begins where the second ended");
  const publicKeys = new Map<string, PublicKeyHex>([
    [made.kid, made.public_key_hex],
    [first.kid, first.public_key_hex],
    [second.kid, second.public_key_hex],
  ]);
  for (const text of texts)
    assertVerified(text, publicKeys.get(JSON.parse(text).receipt.kid) as PublicKeyHex, "receipt");

  const { body: keys } = await client.get("/v2/keys");
  assert.deepEqual(
    keys.keys.map(({ kid, valid_to }: { kid: string; valid_to: string | null }) => [kid, valid_to]),
    [
      [second.kid, null],
      [first.kid, second.valid_from],
      [made.kid, first.valid_from],
    ],
  );
  assert.deepEqual(keys.endorsements, [first.endorsement, second.endorsement]);
  await client.witnessed(stream_id, texts.length);
  const { faults } = await run(folder, "fsck");
  assert.deepEqual(faults, []);
  const { entries } = await run(folder, "audit-log", "--action", "signing_key.rotated");
  assert.equal(entries.length, 2);
});

test("with the old key pinned, both keys' events verify; with the new key alone, those of the old one are untrusted", async (t) => {
  const { client, made } = await startServer(t);
  const { stream_id, data_folder } = made;
  await client.append(stream_id, loan(1));
  await client.witnessed(stream_id, 1);
  const rotated = await run(data_folder, "keys", "rotate-signing");
  await client.append(stream_id, loan(2));
  await client.witnessed(stream_id, 2);
  const pack = async (from_seq_no: number, to_seq_no: number) =>
    (await client.post("/v2/audit/packs", { stream_id, from_seq_no, to_seq_no })).text;
  const both = await pack(1, 2);
  assertVerified(both, made.public_key_hex, "bundle");
  const underNew = report(both, rotated.public_key_hex);
  assert.deepEqual([underNew.verdict, underNew.problems[0]?.code], ["untrusted", "key_not_pinned"]);
  const young = await pack(2, 2);
  assertVerified(young, rotated.public_key_hex, "bundle");
  assertVerified(young, made.public_key_hex, "bundle");
  const { body: list } = await client.get(`/v2/streams/${stream_id}/checkpoints`);
  const [from, to] = list.items;
  const path = `/v2/checkpoints/${to.checkpoint_id}/consistency?from=${from.checkpoint_id}`;
  assertVerified((await client.get(path)).text, made.public_key_hex, "consistency");
  const { body: list2 } = await client.get(`/v2/streams/${stream_id}/events`);
  const proof = await client.get(`/v1/events/${list2.items[1].stream_event_id}/proof`);
  if (proof.status === 200) assertVerified(proof.text, made.public_key_hex, "portable-receipt");
});

test("a pack that is asked for again after a rotation verifies, and so does a checkpoint that waited for its witness", async (t) => {
  const { client, made, server } = await startServer(t);
  const { stream_id, data_folder } = made;
  await client.append(stream_id, loan(1));
  await client.witnessed(stream_id, 1);
  const request = { stream_id, from_seq_no: 1, to_seq_no: 1 };
  const asked = () => client.post("/v2/audit/packs", request, { "idempotency-key": "pack" });
  assertVerified((await asked()).text, made.public_key_hex, "bundle");
  await Promise.all(server.service.jobs.map((job) => job.stop()));
  // The old key sealed it, and it is not cosigned yet.
  const database = new DatabaseSync(join(data_folder, "svc.db"));
  const back = "UPDATE outbox SET done_at = NULL; DELETE FROM witness_statements";
  database.exec(back);
  database.close();
  const { public_key_hex } = await run(data_folder, "keys", "rotate-signing");
  const environment = {
    SVC_LOG_LEVEL: "silent",
    SVC_SEAL_INTERVAL_MS: "20",
    SVC_PORT: "0",
    SVC_DATA: data_folder,
  };
  const second = await serve(THIN_SERVER, await configOf(environment), { kernel });
  t.after(() => second.close());
  const again = new Client(second.url, made.api_key ?? "");
  await again.witnessed(stream_id, 1);
  const { text } = await again.post("/v2/audit/packs", request, { "idempotency-key": "pack" });
  assertVerified(text, made.public_key_hex, "bundle");
  assert.equal(JSON.parse(text).seal.kid, JSON.parse(text).key_endorsements[0].endorsed_kid);
  assert.equal(JSON.parse(text).key_endorsements[0].public_key_hex, public_key_hex);
});

test("what a clock that was set back would date before the new key is dated with it", async (t) => {
  let ahead = 3_600_000;
  const { client, made } = await startServer(t, {}, () => Date.now() + ahead);
  const { stream_id, data_folder } = made;
  await client.append(stream_id, loan(1));
  await client.witnessed(stream_id, 1);
  ahead = 0;
  const { valid_from } = await run(data_folder, "keys", "rotate-signing");
  const { body: other } = await client.post("/v2/streams", {
    system_id: made.system_id,
    use_case: "loans",
    policy_id: "default",
    metadata: {},
  });
  for (const id of [stream_id, other.stream_id]) {
    const { body } = await client.append(id, loan(2));
    assert.ok(body.received_at >= valid_from, `${body.received_at} is before ${valid_from}`);
    await client.witnessed(id, body.seq_no);
    const range = { stream_id: id, from_seq_no: 1, to_seq_no: body.seq_no };
    assertVerified((await client.post("/v2/audit/packs", range)).text, made.public_key_hex, "bundle");
  }
});

test("kill -9 in each failpoint leaves the old key or the new one, and another rotation goes through", async (t) => {
  const failpoints = failpointsOfServer().filter((name) => name.startsWith("rotation: "));
  assert.equal(failpoints.length, 5);
  for (const failpoint of failpoints) {
    const { folder, made, start } = await deployment(t);
    const { client, end } = await start();
    const before = (await client.append(made.stream_id, loan(1), "one")).body;
    await killedAt(failpoint, ["keys", "rotate-signing", "--data", folder]);
    // The server beside which the rotation was killed continues, and so does the next one.
    const beside = (await client.append(made.stream_id, loan(2), "two")).body;
    const isDone = !["rotation: successor kept", "rotation: before switch"].includes(failpoint);
    assert.equal(beside.receipt.kid !== before.receipt.kid, isDone, failpoint);
    assert.equal(await end("SIGINT"), 0);
    const next = await start();
    const after = (await next.client.append(made.stream_id, loan(3), "three")).body;
    assert.equal(after.receipt.kid, beside.receipt.kid, failpoint);
    // The start has finished the rest: one private key is left, that of the key that seals.
    assert.equal(existsSync(join(folder, "signing-key.next.pem")), !isDone, failpoint);
    const { kid, replaces } = await run(folder, "keys", "rotate-signing");
    assert.equal(replaces, beside.receipt.kid);
    const last = (await next.client.append(made.stream_id, loan(4), "four")).body;
    assert.equal(last.receipt.kid, kid);
    await next.client.witnessed(made.stream_id, 4);
    const request = { stream_id: made.stream_id, from_seq_no: 1, to_seq_no: 4 };
    assertVerified((await next.client.post("/v2/audit/packs", request)).text, made.public_key_hex, "bundle");
    assert.deepEqual((await run(folder, "fsck")).faults, []);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const { mode } = statSync(join(folder, entry.name));
      assert.equal(mode & 0o777, entry.isDirectory() ? 0o700 : 0o600, entry.name);
    }
    await next.end("SIGKILL");
  }
});

test("a database from before a rotation is led to the new key, once it is known what it lacks", async (t) => {
  const { folder, made, start } = await deployment(t);
  const first = await start();
  await first.client.append(made.stream_id, loan(1));
  assert.equal(await first.end("SIGINT"), 0);
  const old = new DatabaseSync(join(folder, "svc.db"));
  const copy = join(temporaryFolder(), "old.db");
  old.exec(`VACUUM INTO '${copy}'`);
  old.close();
  const oldKey = readFileSync(join(folder, "signing-key.pem"));
  await run(folder, "keys", "rotate-signing");
  const { kid } = await run(folder, "keys", "rotate-signing");
  for (const suffix of ["", "-wal", "-shm"]) rmSync(join(folder, `svc.db${suffix}`), { force: true });
  copyFileSync(copy, join(folder, "svc.db"));
  const second = await start();
  const { body } = await second.client.append(made.stream_id, loan(2), "two");
  assert.equal(body.receipt.kid, kid);
  await second.client.witnessed(made.stream_id, 2);
  const request = { stream_id: made.stream_id, from_seq_no: 1, to_seq_no: 2 };
  assertVerified((await second.client.post("/v2/audit/packs", request)).text, made.public_key_hex, "bundle");
  assert.deepEqual((await run(folder, "fsck")).faults, []);
  // A changed endorsement leads nowhere.
  assert.equal(await second.end("SIGINT"), 0);
  const before = () => {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(join(folder, `svc.db${suffix}`), { force: true });
    copyFileSync(copy, join(folder, "svc.db"));
  };
  before();
  rmSync(join(folder, "progress.json"));
  const endorsements = join(folder, "key-endorsements.json");
  const kept = readFileSync(endorsements, "utf8");
  writeFileSync(endorsements, kept.replace(/("valid_from":"20)\d\d/, "$199"));
  const forged = await command(["start", "--port", "0", "--data", folder]);
  assert.equal(forged.code, 1);
  assert.match(forged.err, /endorsement of .* in key-endorsements\.json does not hold.*Put the original file back/);
  // A key that endorsed another seals no more, even if it is still present, as on a token.
  writeFileSync(endorsements, kept);
  const current = readFileSync(join(folder, "signing-key.pem"));
  writeFileSync(join(folder, "signing-key.pem"), oldKey);
  const again = await command(["start", "--port", "0", "--data", folder]);
  assert.equal(again.code, 1);
  assert.match(again.err, new RegExp(`says that ${kid} seals, and .* holds ${made.kid}`));
  writeFileSync(join(folder, "signing-key.pem"), current);
  // Without the endorsements nothing leads to the key, and the server says so.
  before();
  rmSync(endorsements);
  const { code, err } = await command(["start", "--port", "0", "--data", folder]);
  assert.equal(code, 1);
  assert.match(err, new RegExp(`seals with ${made.kid}, and signing-key.pem in .* holds ${kid}.*back`));
});

test(
  "a rotation after one that was cut off behind its commit, beside the same server: the key that seals is not " +
    "written over",
  async (t) => {
    const { folder, made, start } = await deployment(t);
    const { client, end } = await start();
    await killedAt("rotation: switched", ["keys", "rotate-signing", "--data", folder]);
    const { body } = await client.append(made.stream_id, loan(1), "one");
    const { kid, replaces } = await run(folder, "keys", "rotate-signing");
    assert.equal(replaces, body.receipt.kid);
    assert.equal(await end("SIGKILL"), null);
    const next = await start();
    assert.equal((await next.client.append(made.stream_id, loan(2), "two")).body.receipt.kid, kid);
    assert.equal(existsSync(join(folder, "signing-key.next.pem")), false);
  },
);

test("rotations at the same time are done one behind the other, and the key that seals is in the folder", async (t) => {
  const { folder, made, start } = await deployment(t);
  const { client, end } = await start();
  const { body } = await client.append(made.stream_id, loan(1), "one");
  const rotations = Array.from({ length: 6 }, () => command(["keys", "rotate-signing", "--data", folder, "--json"]));
  const done: { kid: string; replaces: string }[] = [];
  for (const { code, out, err } of await Promise.all(rotations)) {
    assert.equal(code, 0, err);
    done.push(JSON.parse(out));
  }
  let last: string = body.receipt.kid;
  for (let count = 0; count < done.length; count++) last = done.find(({ replaces }) => replaces === last)?.kid ?? "";
  assert.equal((await client.append(made.stream_id, loan(2), "two")).body.receipt.kid, last);
  assert.equal(await end("SIGKILL"), null);
  const next = await start();
  assert.equal((await next.client.append(made.stream_id, loan(3), "three")).body.receipt.kid, last);
  assert.deepEqual((await run(folder, "fsck")).faults, []);
});

test("no output of a rotation shows a private key", async (t) => {
  const { folder } = await deployment(t);
  for (const more of [[], ["--json"]]) {
    const { code, out, err } = await command(["keys", "rotate-signing", "--data", folder, ...more]);
    assert.equal(code, 0, err);
    const pem = readFileSync(join(folder, "signing-key.pem"), "utf8").split("\n")[1] ?? "?";
    assert.ok(!out.includes(pem) && !err.includes(pem) && !out.includes("PRIVATE"));
  }
});
