/**
 * The stores of tenants, of keys, of the access log and of the deployment's own row: order, boundaries, and the owner
 * of each row.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { MAX_EXAMINED_ROWS } from "@svc/api/limits";
import type { Kid, PublicKeyHex } from "@svc/core";
import type { Part } from "@svc/host/store";
import {
  currentSigningKey,
  insertService,
  insertSigningKey,
  ownTrust,
  retireSigningKey,
  sealedAt,
  serviceRow,
  signingKeys,
} from "../../src/signing/service-store.ts";
import { type AccessFilter, accessBefore, accessesTo, insertAccess } from "../../src/tenancy/access-log-store.ts";
import {
  allSystemKeys,
  endCredential,
  endCredentialAt,
  findCredential,
  insertSystemKey,
  touchCredential,
} from "../../src/tenancy/credentials-store.ts";
import { allSystems, allTenants, hasOtherSystem, insertTenant, onlyTenant } from "../../src/tenancy/tenants-store.ts";
import {
  at,
  BANK,
  CARDS,
  CLAIMS,
  FRAUD,
  hashNo,
  INSURER,
  LOANS,
  plain,
  principalOf,
  type Store,
  serviceIn,
  storeUnderTest,
  storeWithTenants,
} from "../store-under-test.ts";

test("all tenants and all systems are listed, the oldest first, and those of one time by their ids", async (t) => {
  const { read } = await storeWithTenants(t);
  assert.deepEqual(plain(await read(allTenants)), [
    { tenant_id: INSURER, name: "Insurer", time_zone: "America/Lima" },
    { tenant_id: BANK, name: "Bank", time_zone: "Europe/Berlin" },
  ]);
  assert.deepEqual(
    plain(await read(allSystems)),
    [
      { ...CARDS, name: "Cards" },
      { ...CLAIMS, name: "Claims" },
      { ...FRAUD, name: "Fraud" },
      { ...LOANS, name: "Loans" },
    ].map(({ tenantId, systemId, name }) => ({ system_id: systemId, tenant_id: tenantId, name, retired_at: null })),
  );
});

test("a tenant is the only one where there is no other", async (t) => {
  const { read, write } = await storeUnderTest(t);
  const add = (tenantId: string) =>
    write((writer) => insertTenant(writer, { tenantId, name: "Name", timeZone: "UTC" }, at(0)));
  assert.equal(await read(onlyTenant), null);
  await add("tnt_1");
  assert.equal(await read(onlyTenant), "tnt_1");
  await add("tnt_2");
  assert.equal(await read(onlyTenant), null);
});

test("a tenant has another system besides one, or it has not; those of other tenants do not count", async (t) => {
  const { read, write } = await storeWithTenants(t);
  const has = (tenantId: string, systemId: string) => read((reader) => hasOtherSystem(reader, tenantId, systemId));
  assert.equal(await has(BANK, LOANS.systemId), true);
  await write((writer) => writer.run("DELETE FROM systems WHERE system_id = $1", CARDS.systemId));
  assert.equal(await has(BANK, LOANS.systemId), false);
  assert.equal(await has(BANK, CARDS.systemId), true);
  assert.equal(await has("tnt_none", LOANS.systemId), false);
});

const KEY = { secretMac: "mac", pepperMac: "pepper", limits: null, expiresAt: null };

async function withKeys(t: TestContext): Promise<Store> {
  const store = await storeWithTenants(t);
  await store.write(async (writer) => {
    await insertSystemKey(writer, { ...KEY, ...LOANS, id: "key_2" }, at(1));
    await insertSystemKey(writer, { ...KEY, ...CLAIMS, id: "key_3", secretMac: "other" }, at(0));
    await insertSystemKey(writer, { ...KEY, ...LOANS, id: "key_1", limits: "{}", expiresAt: at(50) }, at(1));
  });
  return store;
}

test("a key is found with its own principal until it or its principal is shut off", async (t) => {
  const { read, write } = await withKeys(t);
  const find = (id: string) => read((reader) => findCredential(reader, id));
  const found = { principal_kind: "system", roles: "[]", secret_mac: "mac", last_used_at: null };
  assert.deepEqual(
    { ...(await find("key_1")) },
    { ...found, tenant_id: BANK, principal_id: LOANS.systemId, limits: "{}", expires_at: at(50) },
  );
  assert.deepEqual(
    { ...(await find("key_3")) },
    {
      ...found,
      tenant_id: INSURER,
      principal_id: CLAIMS.systemId,
      secret_mac: "other",
      limits: null,
      expires_at: null,
    },
  );
  assert.equal(await find("key_4"), null);
  await write((writer) => endCredential(writer, "key_1", at(9)));
  assert.deepEqual([await find("key_1"), (await find("key_2"))?.principal_id], [null, LOANS.systemId]);
  const sql = "UPDATE principals SET disabled_at = $1 WHERE tenant_id = $2 AND principal_id = $3";
  await write((writer) => writer.run(sql, at(9), BANK, LOANS.systemId));
  assert.deepEqual([await find("key_2"), (await find("key_3"))?.principal_id], [null, CLAIMS.systemId]);
});

test("what happens to a key is noted of that key, forwards only", async (t) => {
  const { read, write } = await withKeys(t);
  const rows = async () =>
    (await read(allSystemKeys)).map((key) => [key.credential_id, key.last_used_at, key.expires_at, key.revoked_at]);
  assert.deepEqual(await rows(), [
    ["key_3", null, null, null],
    ["key_1", null, at(50), null],
    ["key_2", null, null, null],
  ]);
  await write((writer) => touchCredential(writer, "key_2", at(5)));
  await write((writer) => touchCredential(writer, "key_2", at(4)));
  const endAt = (id: string, time: string) => write((writer) => endCredentialAt(writer, id, time));
  assert.deepEqual(
    [
      await endAt("key_1", at(50)),
      await endAt("key_1", at(51)),
      await endAt("key_1", at(49)),
      await endAt("key_2", at(60)),
    ],
    [0, 0, 1, 1],
  );
  assert.deepEqual(await rows(), [
    ["key_3", null, null, null],
    ["key_1", null, at(49), null],
    ["key_2", at(5), at(60), null],
  ]);
  const end = (id: string, time: string) => write((writer) => endCredential(writer, id, time));
  assert.deepEqual([await end("key_2", at(7)), await end("key_2", at(8)), await end("key_4", at(8))], [1, 0, 0]);
  assert.equal(await endAt("key_2", at(1)), 0);
  assert.deepEqual((await rows())[2], ["key_2", at(5), at(60), at(7)]);
});

test("the deployment has one row, or none yet", async (t) => {
  const { read, write } = await storeUnderTest(t);
  assert.equal(await read(serviceRow), null);
  await write((writer) => insertService(writer, "origin.example", "mac", at(0)));
  assert.deepEqual({ ...(await read(serviceRow)) }, { evidence_origin: "origin.example", pepper_mac: "mac" });
});

test("the keys of a service are listed from the newest on, and one of them seals", async (t) => {
  const { read, write } = await storeUnderTest(t);
  const key = (name: string, seconds: number) => ({
    kid: name as Kid,
    public_key_hex: hashNo(seconds) as string as PublicKeyHex,
    valid_from: at(seconds),
  });
  const [one, two, three] = [key("kid_1", 1), key("kid_2", 2), key("kid_0", 3)];
  const add = (added: typeof one) => write((writer) => insertSigningKey(writer, added));
  const retire = (kid: string, seconds: number) => write((writer) => retireSigningKey(writer, kid as Kid, at(seconds)));
  const current = async () => (await read(currentSigningKey))?.kid ?? null;
  assert.equal(await current(), null);
  await add(one);
  assert.equal(await current(), "kid_1");
  await add(two);
  assert.equal(await current(), null, "two at a time do not count");
  assert.deepEqual([await retire("kid_1", 2), await retire("kid_1", 3), await retire("kid_3", 3)], [1, 0, 0]);
  assert.equal(await current(), "kid_2");
  await retire("kid_2", 3);
  await add(three);
  assert.deepEqual(plain(await read(signingKeys)), [
    { ...three, retired_at: null },
    { ...two, retired_at: at(3) },
    { ...one, retired_at: at(2) },
  ]);
  assert.deepEqual(await read((reader) => ownTrust(reader, "origin.example")), {
    signers: [three, two, one].map(({ kid, public_key_hex }) => ({ kid, public_key_hex, origin: "origin.example" })),
  });
  const retired = { ...two, retired_at: at(3) };
  assert.deepEqual(
    [1.999, 2, 3, 3.001].map((seconds) => sealedAt(retired, at(seconds), "kid_2")),
    [false, true, true, false],
  );
  assert.deepEqual(
    [sealedAt(retired, at(2), "kid_1"), sealedAt({ ...two, retired_at: null }, at(9), "kid_2")],
    [false, true],
  );
});

/** Entries a second apart; the third column names the object. */
const ENTRIES = [
  [BANK, "export.created", "exp_1"],
  [BANK, "export.deleted", "exp_1"],
  [INSURER, "export.created", "exp_2"],
  [BANK, "event.erased", "sev_1"],
  [INSURER, "event.erased", "exp_1"],
  [BANK, "export.created", "exp_2"],
] as const;

async function logged(t: TestContext) {
  const store = await storeWithTenants(t);
  await store.write(async (writer) => {
    for (const [index, [tenantId, action, objectId]] of ENTRIES.entries())
      await insertAccess(writer, { actor: serviceIn(tenantId), action, objectId, detail: { index }, at: at(index) });
  });
  const any: AccessFilter = { tenantId: null, action: null, objectId: null };
  const read = (filter: Partial<AccessFilter> = {}, part: Partial<Part> = {}) =>
    store.read((reader) => accessBefore(reader, { ...any, ...filter }, { after: null, most: 10, ...part }));
  const found = async (filter: Partial<AccessFilter> = {}, part: Partial<Part> = {}) =>
    (await read(filter, part)).rows.map(({ detail }) => JSON.parse(detail).index);
  return { store, read, found };
}

test("entries of the access log are narrowed by any of their filters together, the latest first", async (t) => {
  const { found, read } = await logged(t);
  const created = "export.created";
  const cases: readonly (readonly [Partial<AccessFilter>, readonly number[]])[] = [
    [{}, [5, 4, 3, 2, 1, 0]],
    [{ tenantId: BANK }, [5, 3, 1, 0]],
    [{ action: created }, [5, 2, 0]],
    [{ action: "export" }, [5, 2, 1, 0]],
    [{ action: "expor" }, []],
    [{ action: "e_port" }, []],
    [{ action: "%" }, []],
    [{ action: "!" }, []],
    [{ objectId: "exp_1" }, [4, 1, 0]],
    [{ tenantId: BANK, action: created }, [5, 0]],
    [{ tenantId: BANK, objectId: "exp_1" }, [1, 0]],
    [{ action: created, objectId: "exp_1" }, [0]],
    [{ action: "export", objectId: "exp_1" }, [1, 0]],
    [{ tenantId: INSURER, action: created, objectId: "exp_2" }, [2]],
    [{ tenantId: INSURER, action: "export", objectId: "exp_1" }, []],
  ];
  for (const [filter, expected] of cases) assert.deepEqual(await found(filter), expected, JSON.stringify(filter));
  const [entry] = (await read({ objectId: "sev_1" })).rows;
  assert.deepEqual(
    { ...entry },
    {
      access_id: entry?.access_id,
      tenant_id: BANK,
      at: at(3),
      actor_kind: "service",
      actor_id: "svc-server",
      action: "event.erased",
      object_id: "sev_1",
      detail: '{"index":3}',
    },
  );
});

test("a kind of action is found by its own name, also where that has a wildcard of LIKE", async (t) => {
  const { store, found } = await logged(t);
  await store.write((writer) =>
    insertAccess(writer, {
      actor: serviceIn(BANK),
      action: "system_key.created",
      objectId: "key_1",
      detail: { index: 6 },
      at: at(6),
    }),
  );
  assert.deepEqual([await found({ action: "system_key" }), await found({ action: "system!_key" })], [[6], []]);
});

test("entries of the access log come in parts, each with the place of its last", async (t) => {
  const { read, found, store } = await logged(t);
  const { rows, end } = await read({}, { most: 2 });
  const last = rows.at(-1);
  assert.deepEqual([rows.length, end], [2, [at(4), last?.access_id]]);
  assert.deepEqual(await found({}, { most: 2, after: end }), [3, 2]);
  assert.deepEqual(await found({ tenantId: BANK }, { after: end }), [3, 1, 0]);
  assert.deepEqual((await read({}, { most: 7 })).end, null);
  // Among entries of one time the later ids come first, and a place can be between two of them.
  await store.write(async (writer) => {
    for (const index of [6, 7])
      await insertAccess(writer, {
        actor: principalOf(LOANS),
        action: "export.created",
        objectId: "exp_3",
        detail: { index },
        at: at(9),
      });
  });
  const together = await read({ objectId: "exp_3" }, { most: 1 });
  assert.deepEqual(await found({ objectId: "exp_3" }), [7, 6]);
  assert.deepEqual(await found({ objectId: "exp_3" }, { after: together.end }), [6]);
});

test("of two filters the one that leads further does, and the other is looked at on the way", async (t) => {
  const { store, read } = await logged(t);
  await store.write(async (writer) => {
    for (let count = 0; count <= MAX_EXAMINED_ROWS; count++)
      await insertAccess(writer, {
        actor: serviceIn(BANK),
        action: "export.deleted",
        objectId: `exp_${count % 3}`,
        detail: { index: 0 },
        at: at(100 + count),
      });
  });
  const rare = await read({ tenantId: BANK, action: "event.erased" });
  assert.deepEqual([rare.rows.length, rare.end], [1, null]);
  const none = await read({ tenantId: BANK, action: "event" });
  assert.deepEqual([none.rows.length, none.end?.[0]], [0, at(101)], "a kind of action leads nowhere");
});

test("accesses are counted by object and action", async (t) => {
  const { store } = await logged(t);
  const count = (objectId: string, action: "export.created" | "export.deleted" | "event.erased") =>
    store.read((reader) => accessesTo(reader, objectId, action));
  assert.deepEqual(
    [
      await count("exp_1", "export.created"),
      await count("exp_2", "export.created"),
      await count("exp_1", "export.deleted"),
      await count("sev_1", "export.deleted"),
      await count("exp_none", "export.created"),
    ],
    [1, 2, 1, 0, 0],
  );
});
