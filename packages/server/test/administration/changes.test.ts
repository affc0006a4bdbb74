/**
 * Changes of systems and their keys, as commands and routes make them: each in one transaction, only within the actor's
 * tenant, and each in the access log.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Principal } from "@svc/host/principal";
import type { Writer } from "@svc/host/store";
import { createKey, revokeKey, rotateKey } from "../../src/administration/change-keys.ts";
import { TenancyRefusal } from "../../src/administration/refusal.ts";
import { createSystem, createTenant, retireSystem } from "../../src/administration/systems.ts";
import { keyedHashUnder } from "../../src/signing/keyed-hash.ts";
import { checkCredentials } from "../../src/tenancy/check-credentials.ts";
import { allSystemKeys } from "../../src/tenancy/credentials-store.ts";
import { SystemKeys } from "../../src/tenancy/system-keys.ts";
import { allSystems, hasOtherSystem } from "../../src/tenancy/tenants-store.ts";
import { at, BANK, CARDS, INSURER, LOANS, serviceIn, storeWithStreams } from "../store-under-test.ts";

const NOW = Date.parse(at(100));
const HERE = serviceIn(BANK);
const ELSEWHERE = serviceIn(INSURER);
const { systemId } = LOANS;

async function changing(t: TestContext) {
  const store = await storeWithStreams(t);
  const clock = () => NOW;
  const keys = new SystemKeys({
    database: store,
    clock,
    keyedHash: keyedHashUnder(Buffer.alloc(32, 1)),
    uses: { note: async () => undefined },
  });
  const change = <Value>(work: (writer: Writer) => Promise<Value>) => store.write(work);
  const refuses = (work: (writer: Writer) => Promise<unknown>, reason: string, subject: string) =>
    assert.rejects(change(work), (error) => {
      assert.ok(error instanceof TenancyRefusal, String(error));
      assert.deepEqual([error.reason, error.subject], [reason, subject]);
      return true;
    });
  const logged = () =>
    store.read(async (reader) =>
      (
        await reader.all<{ action: string; object_id: string }>(
          "SELECT action, object_id FROM access_log ORDER BY access_id",
        )
      ).map(({ action, object_id }) => [action, object_id]),
    );
  const made = (actor: Principal = HERE, wanted = {}) =>
    change((writer) => createKey(writer, keys, actor, { systemId, ...wanted }));
  const idOf = (apiKey: string) => `key_${apiKey.slice("svc_sk_".length, -44)}`;
  const keyOf = async (id: string) =>
    (await store.read(allSystemKeys)).find(({ credential_id }) => credential_id === id);
  const found = async (apiKey: string) => (await keys.find(`Bearer ${apiKey}`))?.principal.id ?? null;
  return { store, keys, change, refuses, logged, made, idOf, keyOf, found };
}

test("a key is made for a system of the actor's tenant, and for streams that the system sees", async (t) => {
  const { keys, refuses, made, found, logged, idOf } = await changing(t);
  const key = await made(HERE, { limits: { actions: ["read"], streams: ["str_bank_1", "str_bank_3"] } });
  assert.equal(await found(key), systemId);
  assert.deepEqual(await logged(), [["system_key.created", idOf(key)]]);
  const asks = (actor: Principal, wanted: object) => (writer: Writer) =>
    createKey(writer, keys, actor, { systemId, ...wanted });
  await refuses(asks(ELSEWHERE, {}), "system_not_found", systemId);
  await refuses(asks(HERE, { systemId: "sys_none" }), "system_not_found", "sys_none");
  for (const stream of ["str_bank_2", "str_insurer_1", "str_none"])
    await refuses(
      asks(HERE, { limits: { actions: null, streams: ["str_bank_1", stream] } }),
      "stream_not_found",
      stream,
    );
});

test("a key is rotated only while it is in force, and ends no later than it would have", async (t) => {
  const { keys, change, refuses, made, idOf, keyOf } = await changing(t);
  const limits = { actions: ["read" as const], streams: null };
  const id = idOf(await made(HERE, { limits, expiresAt: at(500) }));
  const rotating = (changes: object) => (writer: Writer) =>
    rotateKey(writer, keys, HERE, { keyId: id, until: at(400), expiresAt: null, ...changes }, at(100));
  await refuses(
    (writer) => rotateKey(writer, keys, ELSEWHERE, { keyId: id, until: at(400), expiresAt: null }, at(100)),
    "key_not_found",
    id,
  );
  await refuses(rotating({ keyId: "key_none" }), "key_not_found", "key_none");
  const first = await change(rotating({ expiresAt: at(900) }));
  assert.deepEqual([first.worksUntil, first.replaced.credential_id], [at(400), id]);
  assert.equal((await keyOf(id))?.expires_at, at(400));
  const next = await keyOf(idOf(first.apiKey));
  assert.deepEqual([next?.limits, next?.expires_at], [JSON.stringify(limits), at(900)]);
  const second = await change(rotating({ until: at(600) }));
  assert.equal(second.worksUntil, at(400), "the earlier end stays");
  assert.equal((await keyOf(id))?.expires_at, at(400));
  await refuses(
    (writer) => rotateKey(writer, keys, HERE, { keyId: id, until: at(500), expiresAt: null }, at(400)),
    "key_not_in_force",
    id,
  );
});

test("a key is revoked once, by its own tenant", async (t) => {
  const { keys, change, refuses, made, idOf, found, logged } = await changing(t);
  const key = await made();
  const id = idOf(key);
  await refuses((writer) => revokeKey(writer, ELSEWHERE, id, at(100)), "key_not_found", id);
  assert.equal(await found(key), systemId);
  await change((writer) => revokeKey(writer, HERE, id, at(100)));
  await new Promise(setImmediate);
  assert.equal(await found(key), null);
  await refuses((writer) => revokeKey(writer, HERE, id, at(100)), "key_not_in_force", id);
  await refuses(
    (writer) => rotateKey(writer, keys, HERE, { keyId: id, until: at(500), expiresAt: null }, at(100)),
    "key_not_in_force",
    id,
  );
  assert.deepEqual(await logged(), [
    ["system_key.created", id],
    ["system_key.revoked", id],
  ]);
});

test("a retired system has no key any more and gets none; its streams and other systems stay", async (t) => {
  const { store, keys, change, refuses, made, idOf, found, logged } = await changing(t);
  const [one, two, other] = [await made(), await made(), await made(HERE, { systemId: CARDS.systemId })];
  await change((writer) => revokeKey(writer, HERE, idOf(one), at(100)));
  await refuses((writer) => retireSystem(writer, ELSEWHERE, systemId, at(100)), "system_not_found", systemId);
  assert.deepEqual(await change((writer) => retireSystem(writer, HERE, systemId, at(100))), [idOf(two)]);
  await new Promise(setImmediate);
  assert.deepEqual(await Promise.all([one, two, other].map(found)), [null, null, CARDS.systemId]);
  await refuses((writer) => retireSystem(writer, HERE, systemId, at(101)), "system_retired", systemId);
  await refuses((writer) => createKey(writer, keys, HERE, { systemId }), "system_retired", systemId);
  assert.deepEqual((await logged()).slice(-2), [
    ["system_key.revoked", idOf(two)],
    ["system.retired", systemId],
  ]);
  const retired = (await store.read(allSystems)).filter(({ retired_at }) => retired_at !== null);
  assert.deepEqual(
    retired.map(({ system_id, retired_at }) => [system_id, retired_at]),
    [[systemId, at(100)]],
  );
  assert.equal(await store.read((reader) => hasOtherSystem(reader, BANK, CARDS.systemId)), false);
  const streams = await store.read((reader) =>
    reader.first<{ n: number }>(
      "SELECT COUNT(*) AS n FROM streams WHERE system_id = $1 AND closed_at IS NULL",
      systemId,
    ),
  );
  assert.equal(Number(streams?.n), 3);
  for await (const fault of checkCredentials(store)) assert.fail(JSON.stringify(fault));
});

test("a tenant and a system are made with their principals and their entries", async (t) => {
  const { store, change, made, found, logged } = await changing(t);
  const tenantId = await change((writer) => createTenant(writer, serviceIn, { name: "New", timeZone: "UTC" }, at(100)));
  const wanted = { name: "First", sourceTimezone: "Asia/Tokyo" };
  const system = await change((writer) => createSystem(writer, serviceIn(tenantId), wanted, at(100)));
  assert.deepEqual(await logged(), [
    ["tenant.created", tenantId],
    ["system.created", system],
  ]);
  assert.equal(await found(await made(serviceIn(tenantId), { systemId: system })), system);
  const listed = (await store.read(allSystems)).find(({ system_id }) => system_id === system);
  assert.deepEqual([listed?.tenant_id, listed?.name, listed?.retired_at], [tenantId, "First", null]);
});
