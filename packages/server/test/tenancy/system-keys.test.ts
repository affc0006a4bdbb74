/**
 * System keys, and the tables around them: the texts that are a key, their ends, the notes of their use, and the events
 * that are published.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { USUAL_ACTIONS } from "@svc/api";
import { serviceTime } from "@svc/host/clock";
import type { Database } from "@svc/host/store";
import { until } from "@svc/testkit/until";
import { keyedHashUnder } from "../../src/signing/keyed-hash.ts";
import {
  currentSigningKey,
  insertSigningKey,
  ownTrust,
  retireSigningKey,
  type SigningKeyRow,
  sealedAt,
} from "../../src/signing/service-store.ts";
import { accessBefore, insertAccess } from "../../src/tenancy/access-log-store.ts";
import { allSystemKeys, endCredential, endCredentialAt, touchCredential } from "../../src/tenancy/credentials-store.ts";
import { keyUsesOf, type NewKey, SystemKeys, unauthorized } from "../../src/tenancy/system-keys.ts";
import { allSystems, allTenants, insertPrincipal, insertTenant } from "../../src/tenancy/tenants-store.ts";
import { databaseWithTenant, OPERATOR, SYSTEM, TENANT } from "../empty-database.ts";

const START = Date.parse("2026-01-01T00:00:00.000Z");
const MINUTE_MS = 60_000;

/** Returns a database that counts its calls, and writes only while it is not broken. */
function watched(database: Database) {
  const counts = { reads: 0, writes: 0, isBroken: false };
  const watching: Database = {
    ...database,
    read: (work) => {
      counts.reads += 1;
      return database.read(work);
    },
    write: (work) => {
      counts.writes += 1;
      return counts.isBroken ? Promise.reject(new Error("no disk")) : database.write(work);
    },
  };
  return { counts, watching };
}

async function keysOn(t: TestContext) {
  const database = await databaseWithTenant(t);
  const at = { now: START };
  const { counts, watching } = watched(database);
  const keyedHash = keyedHashUnder(Buffer.alloc(32, 1));
  const keys = new SystemKeys({
    database: watching,
    clock: () => at.now,
    keyedHash,
    uses: keyUsesOf({ database: watching }),
  });
  const make = (changes: Partial<NewKey> = {}) =>
    database.write((writer) => keys.create(writer, { tenantId: TENANT, systemId: SYSTEM, ...changes }, OPERATOR));
  const listed = async () => {
    const [one, ...others] = await database.read(allSystemKeys);
    assert.ok(one !== undefined && others.length === 0);
    return one;
  };
  /** Finds in a new turn, without results of earlier turns. */
  const find = async (header?: string) => {
    const found = await keys.find(header);
    await turn();
    return found;
  };
  return { database, keyedHash, at, counts, keys, make, listed, find };
}

test("a key is found by its whole text under Bearer, in any case and with any number of blanks", async (t) => {
  const { make, find, listed } = await keysOn(t);
  const key = await make();
  assert.match(key, /^svc_sk_[0-7][0-9a-z]{25}_[\w-]{43}$/);
  const keyId = (await listed()).credential_id;
  assert.equal(key.slice(7, 33), keyId.slice(4));
  const principal = { tenantId: TENANT, kind: "system", id: SYSTEM, roles: [] };
  for (const header of [`Bearer ${key}`, `bearer  ${key}`, `BEARER   ${key}`])
    assert.deepEqual(await find(header), { keyId, principal }, header);

  const other = key.endsWith("A") ? "B" : "A";
  const wrong = [
    undefined,
    "",
    key,
    "Bearer",
    "Bearer ",
    `Basic ${key}`,
    `xBearer ${key}`,
    ` Bearer ${key}`,
    `Bearer ${key} `,
    `Bearer ${key} x`,
    `Bearer x${key}`,
    `Bearer ${key}x`,
    `Bearer ${key.slice(0, -1)}`,
    `Bearer ${key.slice(0, -1)}${other}`,
    `Bearer ${key.replace("svc_sk_", "svc_sk_0")}`,
    `Bearer ${key.replace("svc_sk_", "")}`,
    `Bearer svc_sk_${keyId.slice(4)}_`,
    `Bearer svc_sk_${"0".repeat(26)}_${"0".repeat(43)}`,
  ];
  for (const header of wrong) assert.equal(await find(header), null, header);
  assert.equal(unauthorized().code, "unauthorized");
});

test("a key without a credential takes the same work: a hash is made and compared", async (t) => {
  const { database, counts, find, keyedHash } = await keysOn(t);
  const hashed: unknown[][] = [];
  const hash = keyedHash.hash.bind(keyedHash);
  keyedHash.hash = (...asked) => {
    hashed.push(asked);
    return hash(...asked);
  };
  const reads = counts.reads;
  assert.equal(await find(`Bearer svc_sk_${"0".repeat(26)}_${"0".repeat(43)}`), null);
  assert.equal(await find("no key"), null);
  assert.deepEqual(hashed, [
    ["credential", "0".repeat(43)],
    ["credential", ""],
  ]);
  assert.equal(counts.reads - reads, 2, "two looks for what could be a key, and none for an invalid text");

  // Without a credential zeros are compared: no secret hashes to them, and a row with zeros lets nobody in.
  keyedHash.hash = () => "0".repeat(64);
  assert.equal(await find(`Bearer svc_sk_${"1".repeat(26)}_${"0".repeat(43)}`), null);
  assert.deepEqual(await database.read(allSystemKeys), []);
});

test("requests that arrive in one turn are one look at the database; those of the next turn look anew", async (t) => {
  const { database, make, keys, counts, listed } = await keysOn(t);
  const header = `Bearer ${await make()}`;
  const reads = counts.reads;
  const [one, other, none] = await Promise.all([keys.find(header), keys.find(header), keys.find("Bearer x")]);
  assert.ok(one !== null && one === other && none === null);
  assert.equal(counts.reads - reads, 1);
  await turn();
  assert.notEqual(await keys.find(header), null);
  assert.equal(counts.reads - reads, 2);
  await turn();
  const { credential_id } = await listed();
  await database.write((writer) => endCredential(writer, credential_id, serviceTime(START)));
  assert.equal(await keys.find(header), null);
});

test("a key works until the millisecond before its end, and what it is kept to comes with it", async (t) => {
  const { at, make, find, listed, database } = await keysOn(t);
  const limits = { actions: ["read"], streams: ["str_1"] } as const;
  const expiresAt = serviceTime(START + 10);
  const header = `Bearer ${await make({ limits, expiresAt })}`;
  at.now = START + 9;
  assert.deepEqual((await find(header))?.principal.limits, limits);
  at.now = START + 10;
  assert.equal(await find(header), null);
  const key = await listed();
  assert.deepEqual(
    [JSON.parse(key.limits ?? ""), key.expires_at, key.created_at, key.principal_id, key.tenant_id],
    [limits, expiresAt, serviceTime(START), SYSTEM, TENANT],
  );

  const { rows } = await database.read((reader) =>
    accessBefore(reader, { tenantId: null, action: null, objectId: null }, { after: null, most: 10 }),
  );
  const [entry, ...others] = rows;
  assert.equal(others.length, 0);
  const { access_id = "", detail = "", ...rest } = entry ?? {};
  assert.match(access_id, /^acc_/);
  assert.deepEqual(JSON.parse(detail), { system_id: SYSTEM, limits, expires_at: expiresAt });
  assert.deepEqual(rest, {
    tenant_id: TENANT,
    at: serviceTime(START),
    actor_kind: "service",
    actor_id: "svc-server",
    action: "system_key.created",
    object_id: key.credential_id,
  });
});

test("a key that is kept to nothing has no limits, and its secret is nowhere", async (t) => {
  const { make, find, listed, database, keyedHash } = await keysOn(t);
  const key = await make();
  const { limits, expires_at } = await listed();
  assert.deepEqual([limits, expires_at], [null, null]);
  assert.equal(Object.hasOwn((await find(`Bearer ${key}`))?.principal ?? {}, "limits"), false);
  const row = await database.read((reader) =>
    reader.first<{ secret_mac: string }>("SELECT secret_mac, kind FROM credentials"),
  );
  assert.deepEqual({ ...row }, { secret_mac: keyedHash.hash("credential", key.slice(-43)), kind: "system_key" });
});

test("the use of a key is noted at most once a minute, and where that failed, at the next use", async (t) => {
  const { at, make, find, listed, counts } = await keysOn(t);
  const header = `Bearer ${await make()}`;
  const noted = async () => (await listed()).last_used_at;
  const usedAt = async (now: number) => {
    at.now = now;
    const { writes } = counts;
    assert.notEqual(await find(header), null);
    await turn();
    return counts.writes - writes;
  };
  counts.isBroken = true;
  assert.equal(await usedAt(START), 1);
  assert.equal(await noted(), null);
  assert.equal(await usedAt(START + 1), 1, "the next use tries again");
  counts.isBroken = false;
  assert.equal(await usedAt(START + 2), 1);
  await until("it is noted", async () => ((await noted()) === serviceTime(START + 2) ? true : null));
  assert.equal(await usedAt(START + 1 + MINUTE_MS), 0);
  assert.equal(await usedAt(START + 2 + MINUTE_MS), 1);
  await until("it is noted again", async () => ((await noted()) === serviceTime(START + 2 + MINUTE_MS) ? true : null));
  assert.equal(await find("Bearer nobody"), null);
});

test("a use is noted once while a note is on its way", async (t) => {
  const { database, keyedHash, make } = await keysOn(t);
  const header = `Bearer ${await make()}`;
  const written = Promise.withResolvers<void>();
  let writes = 0;
  const slow: Database = {
    ...database,
    read: (work) => database.read(work),
    write: async (work) => {
      writes += 1;
      await written.promise;
      return database.write(work);
    },
  };
  const keys = new SystemKeys({ database: slow, clock: () => START, keyedHash, uses: keyUsesOf({ database: slow }) });
  for (let use = 0; use < 3; use++) {
    assert.notEqual(await keys.find(header), null);
    await turn();
  }
  assert.equal(writes, 1);
  written.resolve();
});

test("a key is ended once, and its end can be moved closer only", async (t) => {
  const { make, listed, database } = await keysOn(t);
  await make();
  const { credential_id } = await listed();
  const [soon, later] = [serviceTime(START + 1), serviceTime(START + 2)];
  const endAt = (time: string) => database.write((writer) => endCredentialAt(writer, credential_id, time));
  assert.deepEqual([await endAt(later), await endAt(later), await endAt(soon), await endAt(later)], [1, 0, 1, 0]);
  assert.equal((await listed()).expires_at, soon);
  const end = () => database.write((writer) => endCredential(writer, credential_id, soon));
  assert.deepEqual([await end(), await end(), await endAt(serviceTime(START))], [1, 0, 0]);
  assert.equal((await listed()).revoked_at, soon);
});

test("what happens to one key happens to no other", async (t) => {
  const { make, find, database } = await keysOn(t);
  const headers = [`Bearer ${await make()}`, `Bearer ${await make()}`, `Bearer ${await make()}`];
  const rows = () => database.read(allSystemKeys);
  const [one, two, three] = (await rows()).map(({ credential_id }) => credential_id);
  const [early, late] = [serviceTime(START - 2), serviceTime(START - 1)];
  await database.write(async (writer) => {
    await touchCredential(writer, one ?? "", late);
    await touchCredential(writer, one ?? "", early);
    await endCredential(writer, two ?? "", late);
    await endCredentialAt(writer, three ?? "", early);
  });
  assert.deepEqual(
    (await rows()).map(({ last_used_at, revoked_at, expires_at }) => [last_used_at, revoked_at, expires_at]),
    [
      [late, null, null],
      [null, late, null],
      [null, null, early],
    ],
  );
  assert.deepEqual(
    (await Promise.all(headers.map((header) => find(header)))).map((found) => found !== null),
    [true, false, false],
  );
});

test(
  "a key is its own tenant's, where another one has a principal of the same name; others than systems are not " +
    "listed",
  async (t) => {
    const { make, find, database } = await keysOn(t);
    await database.write(async (writer) => {
      // The others come first, in any order in which a query meets them.
      await writer.run("DELETE FROM principals WHERE principal_id = $1", SYSTEM);
      for (const tenantId of ["tnt_00000000000000000000000000", "tnt_00000000000000000000000002"]) {
        await insertTenant(writer, { tenantId, name: "Other", timeZone: "UTC" }, serviceTime(0));
        await insertPrincipal(writer, { tenantId, kind: "auditor", id: SYSTEM, roles: ["all"] }, serviceTime(0));
      }
      await insertPrincipal(writer, { tenantId: TENANT, kind: "system", id: SYSTEM, roles: [] }, serviceTime(0));
      await writer.run(
        `INSERT INTO credentials (credential_id, tenant_id, principal_id, kind, secret_mac, created_at)
       VALUES ('key_other', $1, $2, 'session', 'mac', $3)`,
        TENANT,
        OPERATOR.id,
        serviceTime(0),
      );
    });
    const header = `Bearer ${await make()}`;
    assert.deepEqual((await find(header))?.principal, { tenantId: TENANT, kind: "system", id: SYSTEM, roles: [] });
    assert.equal((await database.read(allSystemKeys)).length, 1);
    const settings = await database.read((reader) => reader.all<{ settings: string }>("SELECT settings FROM tenants"));
    assert.deepEqual(new Set(settings.map((row) => row.settings)), new Set(["{}"]));
  },
);

test("what a key may do that is not kept to actions: all but what is granted by name", () => {
  assert.deepEqual(USUAL_ACTIONS, ["read", "append", "create_stream", "create_pack", "export"]);
});

test("the access log is narrowed by tenant, action or its first part, and object, the latest first", async (t) => {
  const database = await databaseWithTenant(t);
  const other = "tnt_00000000000000000000000002";
  const strange = { ...OPERATOR, tenantId: other };
  await database.write(async (writer) => {
    await insertTenant(writer, { tenantId: other, name: "Other", timeZone: "Europe/Zurich" }, serviceTime(1));
    await insertPrincipal(writer, strange, serviceTime(1));
    const note = (actor: typeof OPERATOR, action: string, object: string, at: number) =>
      insertAccess(writer, { actor, action, objectId: object, detail: { at }, at: serviceTime(at) });
    await note(OPERATOR, "export.created", "one", 1);
    await note(OPERATOR, "export.download_prepared", "one", 2);
    await note(OPERATOR, "event.erased", "two", 3);
    await note(strange, "export.created", "three", 4);
  });
  const any = { tenantId: null, action: null, objectId: null };
  const times = async (filter: Partial<typeof any> | Record<string, string>, most = 10) =>
    (await database.read((reader) => accessBefore(reader, { ...any, ...filter }, { after: null, most }))).rows.map(
      ({ detail }) => JSON.parse(detail).at,
    );
  assert.deepEqual(await times({}), [4, 3, 2, 1]);
  assert.deepEqual(await times({}, 2), [4, 3]);
  assert.deepEqual(await times({ tenantId: TENANT }), [3, 2, 1]);
  assert.deepEqual(await times({ action: "export" }), [4, 2, 1]);
  assert.deepEqual(await times({ action: "export.created" }), [4, 1]);
  assert.deepEqual(await times({ objectId: "one" }), [2, 1]);
  assert.deepEqual(await times({ tenantId: TENANT, action: "export", objectId: "one" }, 1), [2]);
  assert.deepEqual(await times({ tenantId: other, action: "event", objectId: "three" }), []);
  for (const action of [
    "expor_",
    "export_",
    "export%",
    "export!",
    "%",
    "e%",
    "!",
    "export.",
    "export.downloadXprepared",
  ])
    assert.deepEqual(await times({ action }), [], action);
  assert.deepEqual(
    (await database.read(allTenants)).map((tenant) => ({ ...tenant })),
    [
      { tenant_id: TENANT, name: "Bank", time_zone: "UTC" },
      { tenant_id: other, name: "Other", time_zone: "Europe/Zurich" },
    ],
  );
  assert.deepEqual(
    (await database.read(allSystems)).map((system) => ({ ...system })),
    [{ system_id: SYSTEM, tenant_id: TENANT, name: "Loans", retired_at: null }],
  );
});

const KEYS = [1, 2].map((number) => ({ kid: `kid-${number}`, public_key_hex: `${number}`.repeat(64) })) as [
  SigningKeyRow,
  SigningKeyRow,
];

test("the sealing key is the only one that is not retired; with several such keys, none seals", async (t) => {
  const database = await databaseWithTenant(t);
  const [one, two] = KEYS;
  const current = async () => (await database.read(currentSigningKey))?.kid ?? null;
  assert.equal(await current(), null);
  await database.write((writer) => insertSigningKey(writer, { ...one, valid_from: serviceTime(1) }));
  assert.equal(await current(), one.kid);
  await database.write((writer) => insertSigningKey(writer, { ...two, valid_from: serviceTime(2) }));
  assert.equal(await current(), null);
  const retire = () => database.write((writer) => retireSigningKey(writer, one.kid, serviceTime(3)));
  assert.deepEqual([await retire(), await retire(), await current()], [1, 0, two.kid]);
  const trust = await database.read((reader) => ownTrust(reader, "demo.example"));
  assert.deepEqual(trust, {
    signers: [two, one].map(({ kid, public_key_hex }) => ({ kid, public_key_hex, origin: "demo.example" })),
  });
});

test("a key seals from its first moment to its last, both included, and no other key does", () => {
  const row = { ...KEYS[0], valid_from: serviceTime(10), retired_at: serviceTime(20) };
  const seals = (time: number, kid = row.kid, retired: string | null = row.retired_at) =>
    sealedAt({ ...row, retired_at: retired }, serviceTime(time), kid);
  assert.deepEqual(
    [9, 10, 20, 21].map((time) => seals(time)),
    [false, true, true, false],
  );
  assert.deepEqual([seals(21, row.kid, null), seals(9, row.kid, null), seals(15, KEYS[1].kid)], [true, false, false]);
});
