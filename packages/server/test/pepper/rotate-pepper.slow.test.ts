/** Rotations of the pepper: what was stored under the one before is recognised as long as it may be shown again. */
import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type Database, openDatabase } from "@svc/host/store";
import { ON_POSTGRES } from "@svc/testkit/drivers";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { environmentOf, settingsOf } from "@svc/testkit/server/folder-database";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";
import { locationOfDatabase } from "../../src/deployment/database.ts";
import { follow, prepared, readyExport } from "../exports/export-client.ts";

const KEYS_OF_BEFORE = "SELECT 1 FROM credentials c CROSS JOIN service s WHERE c.pepper_mac <> s.pepper_mac";
const RECORDS = "SELECT 1 FROM idempotency_records";

/** Resolves to a deployment, and what an operator does to it. */
async function deployment(t: TestContext) {
  const folder = join(temporaryFolder(), "data");
  const made = await makeDeployment(folder);
  const environment = { SVC_ADDRESS_REQUESTS_PER_SECOND: "0" };
  const run = (...words: string[]) => command([...words, "--data", folder, "--json"], environment);
  const done = async (...words: string[]) => {
    const { code, out, err } = await run(...words);
    assert.equal(code, 0, err);
    return JSON.parse(out);
  };
  /** Works on the database as another process does, which leaves no connection behind. */
  const inDatabase = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const databaseFile = ON_POSTGRES ? null : join(folder, "svc.db");
    const { database } = openDatabase(locationOfDatabase({ path: folder, databaseFile }, await settingsOf(folder)));
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  };
  const rows = (sql: string) => inDatabase((database) => database.read((reader) => reader.all<Row>(sql)));
  return {
    made,
    folder,
    run,
    done,
    rows,
    change: (sql: string) => inDatabase((database) => database.write((writer) => writer.run(sql))),
    rotate: () => done("keys", "rotate-pepper"),
    none: (sql: string) => until(`no row: ${sql}`, async () => ((await rows(sql)).length === 0 ? true : null)),
    isThere: (name: string) => existsSync(join(folder, name)),
    pepper: (name: string) => readFileSync(join(folder, name), "hex"),
    makeKey: async (action: string): Promise<string> => (await done("keys", "create", "--allow", action)).api_key,
    start: async () => {
      const child = await startChild(t, folder, environment);
      const client = new Client(child.url, made.api_key ?? "");
      /** Resolves to the status of a request under a key. */
      const asks = async (key: string) =>
        (await new Client(child.url, key).get(`/v2/streams/${made.stream_id}/events`)).status;
      return { client, asks, stop: async () => assert.equal(await child.end("SIGINT"), 0) };
    },
  };
}

interface Row {
  readonly credential_id: string;
  readonly secret_mac: string;
  readonly pepper_mac: string;
}

const idOf = (key: string | null) => `key_${key?.split("_")[2]}`;

test("after a rotation every key works, and every repeated request and download gets its first answer", async (t) => {
  const { made, start, done, rotate, makeKey, pepper } = await deployment(t);
  const { stream_id, system_id } = made;
  const eraser = await makeKey("erase");
  const stream = { system_id, use_case: "others", policy_id: "default", metadata: {} };
  const batch = [loan(2), loan(3)];
  const lost = [loan(4), loan(5)];
  const asked = async (by: Client) => [
    (await by.append(stream_id, loan(1), "one")).text,
    (await by.appendBatch(stream_id, batch, "batch")).text,
    (await by.post("/v2/streams", stream, { "idempotency-key": "stream" })).text,
  ];
  const erase = async (by: Client, receipts: readonly { readonly stream_event_id: string }[]) => {
    const path = `/v2/streams/${stream_id}/events/${receipts[0]?.stream_event_id}/erase`;
    assert.equal((await new Client(by.url, eraser).post(path, { reason: "request 17" })).status, 200);
  };
  const { client, stop } = await start();
  const before = await asked(client);
  const { body: erased } = await client.appendBatch(stream_id, lost, "erased");
  await erase(client, erased.receipts);
  await client.witnessed(stream_id, 5);
  const { export_id } = await readyExport(client, { streams: [stream_id] });
  const [unused, begun] = [await prepared(client, export_id), await prepared(client, export_id)];
  const whole = await follow(client, begun.path);
  assert.equal(whole.status, 200);
  await stop();

  const old = pepper("pepper");
  const { rotated_at, keys, needed_until } = await rotate();
  assert.deepEqual(keys.toSorted(), [idOf(made.api_key), idOf(eraser)].sort());
  assert.ok(needed_until > rotated_at);
  assert.equal(pepper("pepper"), old);
  assert.notEqual(pepper("pepper.next"), old);

  const next = await start();
  assert.deepEqual(await asked(next.client), before);
  const idsOf = ({ receipts }: { receipts: { stream_event_id: string }[] }) =>
    receipts.map((one) => one.stream_event_id);
  const again = await next.client.appendBatch(stream_id, lost, "erased");
  assert.deepEqual([again.status, idsOf(again.body)], [201, idsOf(erased)]);
  for (const other of [
    await next.client.append(stream_id, loan(2), "one"),
    await next.client.appendBatch(stream_id, [loan(4), loan(6)], "erased"),
    await next.client.post("/v2/streams", { ...stream, use_case: "x" }, { "idempotency-key": "stream" }),
  ])
    assert.deepEqual([other.status, other.body.detail.code], [409, "idempotency_conflict"]);
  const later = await next.client.append(stream_id, loan(7), "later");
  assert.equal(later.body.seq_no, 6);
  assert.equal((await next.client.append(stream_id, loan(7), "later")).text, later.text);
  assert.equal((await follow(next.client, unused.path)).status, 200);
  const etag = whole.headers.get("etag") ?? "";
  const rest = await follow(next.client, begun.path, { range: "bytes=4-", "if-range": etag });
  assert.deepEqual([rest.status, rest.bytes], [206, whole.bytes.subarray(4)]);
  // An erasure after the rotation, of a request before it: what is left of the request is under the pepper of now.
  const { receipts } = JSON.parse(before[1] ?? "");
  await erase(next.client, receipts);
  assert.deepEqual(idsOf((await next.client.appendBatch(stream_id, batch, "batch")).body), idsOf({ receipts }));
  assert.deepEqual((await done("fsck")).faults, []);
  assert.equal((await done("audit-log", "--action", "pepper.rotated")).entries.length, 1);
});

test("the pepper of before goes when its requests are forgotten and its keys are used, or revoked by name", async (t) => {
  const { made, start, run, done, rows, change, none, rotate, makeKey, isThere, pepper } = await deployment(t);
  const [spare, second] = [await makeKey("read"), await makeKey("read")];
  const first = await start();
  await first.client.append(made.stream_id, loan(1), "one");
  await first.client.witnessed(made.stream_id, 1);
  const beside = await run("keys", "rotate-pepper");
  assert.deepEqual([beside.code, /Another svc-server serves/.test(beside.err)], [1, true]);
  await first.stop();
  await rotate();
  const now = pepper("pepper.next");
  const refused = async (...words: string[]) => {
    const { code, err } = await run("keys", "rotate-pepper", ...words);
    assert.equal(code, 1);
    return err;
  };
  for (const words of [[], ["--finish"]]) {
    const err = await refused(...words);
    for (const key of [made.api_key, spare, second]) assert.match(err, new RegExp(idOf(key)));
    assert.match(err, /requests of before under an Idempotency-Key, which a running server forgets by /);
  }
  assert.equal((await run("keys", "rotate-pepper", "--revoke-unused")).code, 64);

  // One key is used, and is hashed anew. A start keeps both peppers.
  const macsOf = async (key: string | null) =>
    (await rows("SELECT * FROM credentials")).find(({ credential_id }) => credential_id === idOf(key));
  const old = await macsOf(made.api_key);
  const next = await start();
  assert.equal(await next.asks(made.api_key ?? ""), 200);
  await none(`${KEYS_OF_BEFORE} AND c.credential_id = '${idOf(made.api_key)}'`);
  assert.notEqual((await macsOf(made.api_key))?.secret_mac, old?.secret_mac);
  assert.equal(await next.asks(made.api_key ?? ""), 200);
  assert.equal(await next.asks(`${spare.slice(0, 34)}${"A".repeat(43)}`), 401);
  assert.equal((await rows(KEYS_OF_BEFORE)).length, 2);
  const { out } = await run("doctor");
  assert.match(out, new RegExp(`the one before it is needed by keys in force .*${idOf(spare)}`));
  await next.stop();
  // Requests are never forgotten before their time, and a refusal revokes nothing.
  assert.match(await refused("--finish", "--revoke-unused"), /forgets by/);

  await change("UPDATE idempotency_records SET created_at = '2020-01-01T00:00:00.000Z'");
  const last = await start();
  await none(RECORDS);
  await last.stop();
  assert.ok(isThere("pepper.next"));
  const waits = await refused("--finish");
  assert.ok([spare, second].every((key) => waits.includes(idOf(key))) && !waits.includes(idOf(made.api_key)), waits);
  const { revoked } = await done("keys", "rotate-pepper", "--finish", "--revoke-unused");
  assert.deepEqual(revoked.toSorted(), [spare, second].map(idOf).sort());
  assert.deepEqual([pepper("pepper"), isThere("pepper.next")], [now, false]);
  assert.deepEqual((await done("fsck")).faults, []);
  const end = await start();
  assert.deepEqual([await end.asks(made.api_key ?? ""), await end.asks(spare)], [200, 401]);
  await end.stop();
  await rotate();
});

test("a start deletes a pepper that nothing needs; one that is needed and is not there refuses it", async (t) => {
  const { made, start, run, done, none, change, rotate, isThere, pepper, folder } = await deployment(t);
  const first = await start();
  await first.client.append(made.stream_id, loan(1), "one");
  await first.stop();
  const copy = `${folder}.copy`;
  cpSync(folder, copy, { recursive: true });
  await rotate();
  const now = pepper("pepper.next");
  const address = await environmentOf(folder);
  const of = (data: string) => command(["start", "--data", data, "--port", "0"], address);
  if (ON_POSTGRES) {
    // The folder of another server of the same database.
    const stale = await of(copy);
    assert.equal(stale.code, 1);
    assert.match(stale.err, /copy pepper and pepper\.next from the folder in which that was done/);
  }
  const old = join(copy, "pepper");
  // Only the new one is there, under the name of the other.
  renameSync(join(folder, "pepper.next"), join(folder, "pepper"));
  const lost = await of(folder);
  assert.equal(lost.code, 1);
  assert.match(lost.err, /The pepper was rotated at .* and the one before it is not in .*--finish --revoke-unused/);
  const doctor = await run("doctor");
  assert.deepEqual([doctor.code, /The pepper was rotated at/.test(doctor.out)], [1, true]);
  // Both are there.
  renameSync(join(folder, "pepper"), join(folder, "pepper.next"));
  cpSync(old, join(folder, "pepper"));
  const next = await start();
  await next.client.append(made.stream_id, loan(1), "one");
  await none(KEYS_OF_BEFORE);
  await next.stop();
  await change("DELETE FROM idempotency_records");
  assert.ok(isThere("pepper.next"));
  await (await start()).stop();
  assert.deepEqual([pepper("pepper"), isThere("pepper.next")], [now, false]);
  await done("keys", "rotate-pepper", "--finish");
  if (ON_POSTGRES) {
    // The other server has both, and its next start does the same.
    cpSync(join(folder, "pepper"), join(copy, "pepper.next"));
    assert.match((await of(copy)).out, /http:/);
    assert.deepEqual([existsSync(join(copy, "pepper.next")), readFileSync(old, "hex")], [false, now]);
  }
});

test("a pepper of before that is lost for good costs the keys that were not used since, and no other", async (t) => {
  const { made, start, run, done, none, rotate, makeKey, pepper, folder } = await deployment(t);
  const spare = await makeKey("read");
  const first = await start();
  await first.client.append(made.stream_id, loan(1), "one");
  await first.stop();
  await rotate();
  const now = pepper("pepper.next");
  const next = await start();
  assert.equal(await next.asks(made.api_key ?? ""), 200);
  await none(`${KEYS_OF_BEFORE} AND c.credential_id = '${idOf(made.api_key)}'`);
  await next.stop();
  renameSync(join(folder, "pepper.next"), join(folder, "pepper"));
  assert.equal((await run("keys", "rotate-pepper", "--finish")).code, 1);
  await done("keys", "rotate-pepper", "--finish", "--revoke-unused");
  assert.equal(pepper("pepper"), now);
  const last = await start();
  assert.deepEqual([await last.asks(made.api_key ?? ""), await last.asks(spare)], [200, 401]);
  // Nothing tells that it is a repetition, so it is refused, and is never recorded a second time.
  const repeated = await last.client.append(made.stream_id, loan(1), "one");
  assert.deepEqual([repeated.status, repeated.body.detail.code], [409, "idempotency_conflict"]);
});
