/**
 * Tenants, systems and keys by the operator's commands, beside a running server: they work, and stop working, at once.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { temporaryFolder } from "@svc/testkit/temporary-folder";

/** Resolves to a running server, and its commands on the same folder, which print JSON. */
async function deployment(t: TestContext) {
  const folder = join(temporaryFolder(), "data");
  const { url } = await startChild(t, folder);
  const run = async (...words: string[]) => {
    const { code, out, err } = await command([...words, "--data", folder, "--json"]);
    assert.equal(code, 0, err);
    return JSON.parse(out);
  };
  const fails = async (...words: string[]) => {
    const { code, out, err } = await command([...words, "--data", folder]);
    assert.deepEqual([code, out], [64, ""], err);
    return err;
  };
  const streamOf = async (client: Client, system_id: string): Promise<string> =>
    (await client.post("/v2/streams", { system_id, use_case: "loans", policy_id: "default", metadata: {} })).body
      .stream_id;
  return { url, run, fails, streamOf };
}

test("another tenant's system sees nothing of the first one's", async (t) => {
  const { url, run, streamOf } = await deployment(t);
  const first = await run("keys", "create");
  const tenant = await run("tenants", "create", "--name", "Second", "--time-zone", "europe/berlin");
  assert.equal(tenant.time_zone, "Europe/Berlin");
  const system = await run("systems", "create", "--tenant", tenant.tenant_id, "--name", "Other");
  const second = await run("keys", "create", "--system", system.system_id);
  const [one, two] = [new Client(url, first.api_key), new Client(url, second.api_key)];
  const stream = await streamOf(one, first.system_id);
  const { body: record } = await one.append(stream, loan(1));
  assert.equal((await two.append(stream, loan(1))).body.detail.code, "stream_not_found");
  assert.equal((await two.get(`/v2/receipts/${record.stream_event_id}`)).body.detail.code, "receipt_not_found");
  assert.deepEqual((await two.get("/v2/streams")).body.items, []);
  const listed = await run("tenants", "list");
  assert.deepEqual(
    listed.tenants.map(({ name }: { name: string }) => name),
    ["default", "Second"],
  );
  assert.equal((await run("systems", "list")).systems.length, 2);
});

test("a key is kept to the actions and streams that it was made for", async (t) => {
  const { url, run, streamOf } = await deployment(t);
  const all = await run("keys", "create");
  const client = new Client(url, all.api_key);
  const [open, closed] = [await streamOf(client, all.system_id), await streamOf(client, all.system_id)];
  const kept = await run("keys", "create", "--allow", "append,read", "--stream", open, "--days", "30");
  const limited = new Client(url, kept.api_key);
  assert.equal((await limited.append(open, loan(1))).status, 201);
  assert.equal((await limited.append(closed, loan(1))).body.detail.code, "stream_forbidden");
  assert.equal((await limited.get(`/v2/streams/${closed}/proof-state`)).body.detail.code, "stream_forbidden");
  const pack = await limited.post("/v2/audit/packs", { stream_id: open, from_seq_no: 1, to_seq_no: 1 });
  assert.deepEqual(
    [pack.status, pack.body.detail.code, pack.body.detail.action],
    [403, "action_forbidden", "create_pack"],
  );
  assert.equal((await limited.get(`/v2/streams/${open}/head`)).status, 200);
  const { body: list } = await limited.get("/v2/streams");
  assert.deepEqual(
    list.items.map(({ stream_id }: { stream_id: string }) => stream_id),
    [open],
  );
  const inStream = await run("keys", "create", "--stream", open);
  const request = { system_id: all.system_id, use_case: "loans", policy_id: "default", metadata: {} };
  const made = await new Client(url, inStream.api_key).post("/v2/streams", request);
  assert.deepEqual([made.status, made.body.detail.code], [403, "action_forbidden"]);
  const { keys } = await run("keys", "list");
  const [, own] = keys;
  assert.deepEqual(own.limits, { actions: ["append", "read"], streams: [open] });
  assert.match(own.last_used_at, /^\d{4}-/);
  assert.equal("secret_mac" in own, false);
});

test("a key is rotated with an overlap, and revoked at once", async (t) => {
  const { url, run, fails } = await deployment(t);
  const made = await run("keys", "create", "--allow", "read");
  const keyId = (await run("keys", "list")).keys[0].key_id;
  const rotated = await run("keys", "rotate", keyId, "--overlap-hours", "1", "--days", "2");
  assert.equal(rotated.replaces, keyId);
  const [old, young] = [new Client(url, made.api_key), new Client(url, rotated.api_key)];
  assert.equal((await old.get("/v2/streams")).status, 200);
  assert.equal((await young.get("/v2/streams")).status, 200);
  const { keys } = await run("keys", "list");
  assert.equal(keys[0].expires_at, rotated.old_key_works_until);
  assert.deepEqual(keys[1].limits, { actions: ["read"], streams: null });
  assert.equal(keys[1].expires_at, rotated.expires_at);
  const hour = 3_600_000;
  assert.equal(Date.parse(rotated.expires_at) - Date.parse(rotated.old_key_works_until), 47 * hour);
  await run("keys", "revoke", keyId);
  assert.equal((await old.get("/v2/streams")).status, 401);
  assert.equal((await young.get("/v2/streams")).status, 200);
  assert.match(await fails("keys", "revoke", keyId), /has been revoked already/);
  assert.match(await fails("keys", "rotate", keyId), /not in force/);
  assert.match(await fails("keys", "revoke", "key_1"), /There is no key "key_1"/);
});

test("a retired system is let in by no key at once, and its evidence stays", async (t) => {
  const { url, run, fails, streamOf } = await deployment(t);
  const reader = await run("keys", "create");
  const { system_id } = await run("systems", "create", "--name", "Other");
  const made = await run("keys", "create", "--system", system_id);
  const client = new Client(url, made.api_key);
  const stream = await streamOf(client, system_id);
  const { body: record } = await client.append(stream, loan(1));
  const retired = await run("systems", "retire", system_id);
  assert.equal(retired.revoked_keys.length, 1);
  for (const answer of [await client.append(stream, loan(2)), await client.get("/v2/streams")])
    assert.deepEqual([answer.status, answer.body.detail.code], [401, "unauthorized"]);
  assert.match(await fails("keys", "create", "--system", system_id), /is retired, and gets no keys/);
  assert.match(await fails("systems", "retire", system_id), /has been retired already/);
  assert.match(await fails("systems", "retire", "sys_1"), /There is no system "sys_1"/);
  const { systems } = await run("systems", "list");
  assert.deepEqual(
    systems.map(({ retired_at }: { retired_at: string | null }) => retired_at),
    [null, retired.retired_at],
  );
  assert.equal((await run("fsck")).faults.length, 0);
  // The only system that is left is the usual one again.
  assert.equal((await run("keys", "create")).system_id, reader.system_id);
  assert.match(record.stream_event_id, /^sev_/);
});

test("what cannot be meant is refused with words", async (t) => {
  const { fails } = await deployment(t);
  assert.match(await fails("keys", "create", "--allow", "read,write"), /"write" is not one of/);
  assert.match(await fails("keys", "create", "--days", "0"), /whole number from 1/);
  assert.match(await fails("keys", "create", "--stream", "str_1"), /There is no stream "str_1" of sys_/);
  assert.match(await fails("tenants", "create", "--name", " "), /1 to 200 characters/);
  assert.match(await fails("tenants", "create", "--name", "x", "--time-zone", "Mars/Olympus"), /IANA time zone/);
  assert.match(await fails("systems", "create", "--name", "x", "--tenant", "tnt_1"), /There is no tenant "tnt_1"/);
});

test("a time zone keeps the name that it was given, also where ICU knows it by an older one", async (t) => {
  const { run } = await deployment(t);
  for (const zone of ["Europe/Kyiv", "Asia/Kolkata"]) {
    const tenant = await run("tenants", "create", "--name", zone, "--time-zone", zone);
    assert.equal(tenant.time_zone, zone);
  }
});
