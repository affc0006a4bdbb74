/** The store of policies: the meaning of an id for a tenant, its versions, and the two documents of each version. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { WriteConflict } from "@svc/host/store";
import { kernel } from "../../src/kernel.ts";
import {
  insertPolicyVersion,
  newestPolicies,
  newestPolicy,
  type PolicyVersion,
  policyByDigest,
  policyVersion,
  policyVersions,
  tenantsWithPolicy,
} from "../../src/policies/policies-store.ts";
import { resolvePolicy } from "../../src/policies/resolve-policy.ts";
import { at, BANK, hashNo, INSURER, type Store, storeWithTenants } from "../store-under-test.ts";

const WITNESS = {
  witness_id: "managed",
  name: "origin.example/witness",
  public_key_hex: hashNo(7) as string as PolicyVersion["witnessPolicy"]["witnessKeys"][number]["public_key_hex"],
  key_epoch: 1,
  valid_from: at(0),
  valid_to: null,
};

/** A version of an id; its number is in its documents as well. */
function versionOf(tenantId: string | null, policy_id: string, version: number): PolicyVersion {
  const place = { tenantId, version, explicit: tenantId !== null, declaredAt: at(version) };
  return resolvePolicy(kernel, { policy_id, window_max_events: 10 * version }, WITNESS, place);
}

const BUILT_IN = [versionOf(null, "default", 1), versionOf(null, "shared", 1), versionOf(null, "shared", 2)];
const OF_BANK = [
  versionOf(BANK, "own", 1),
  versionOf(BANK, "own", 2),
  versionOf(BANK, "own", 3),
  versionOf(BANK, "shared", 1),
];
const OF_INSURER = [versionOf(INSURER, "own", 1), versionOf(INSURER, "own", 2)];

function insert({ write }: Store, version: PolicyVersion): Promise<void> {
  return write((writer) => insertPolicyVersion(writer, version, at(1)));
}

async function withPolicies(t: TestContext): Promise<Store> {
  const store = await storeWithTenants(t);
  // The later ones first, so that nothing comes in order by itself.
  for (const version of [...OF_BANK, ...OF_INSURER, ...BUILT_IN].toReversed()) await insert(store, version);
  return store;
}

test("an id means its tenant's own policy, or else the built-in one, in its newest version", async (t) => {
  const { read } = await withPolicies(t);
  const cases: readonly (readonly [string | null, string, PolicyVersion | null | undefined])[] = [
    [BANK, "own", OF_BANK[2]],
    [INSURER, "own", OF_INSURER[1]],
    [null, "own", null],
    ["tnt_none", "own", null],
    [BANK, "shared", OF_BANK[3]],
    [INSURER, "shared", BUILT_IN[2]],
    [null, "shared", BUILT_IN[2]],
    [BANK, "default", BUILT_IN[0]],
    [BANK, "none", null],
  ];
  for (const [tenantId, id, expected] of cases)
    assert.deepEqual(await read((reader) => newestPolicy(reader, tenantId, id)), expected, `${tenantId} ${id}`);
});

test("a version is one of those that an id means for its tenant", async (t) => {
  const { read } = await withPolicies(t);
  const one = (tenantId: string | null, id: string, version: number) =>
    read((reader) => policyVersion(reader, tenantId, id, version));
  assert.deepEqual(await one(BANK, "own", 1), OF_BANK[0]);
  assert.deepEqual(await one(INSURER, "own", 2), OF_INSURER[1]);
  assert.deepEqual(await one(INSURER, "own", 3), null);
  assert.deepEqual(await one(BANK, "shared", 1), OF_BANK[3]);
  assert.deepEqual(await one(BANK, "shared", 2), null, "the built-in one is not meant any more");
  assert.deepEqual(await one(INSURER, "shared", 1), BUILT_IN[1]);
  assert.deepEqual(await one(null, "shared", 2), BUILT_IN[2]);
  const all = (tenantId: string, id: string) => read((reader) => policyVersions(reader, tenantId, id));
  assert.deepEqual(await all(BANK, "own"), OF_BANK.slice(0, 3));
  assert.deepEqual(await all(INSURER, "own"), OF_INSURER);
  assert.deepEqual(await all(BANK, "shared"), [OF_BANK[3]]);
  assert.deepEqual(await all(INSURER, "shared"), [BUILT_IN[1], BUILT_IN[2]]);
  assert.deepEqual(await all(INSURER, "none"), []);
});

test("a policy is found by its digest under its own id", async (t) => {
  const { read } = await withPolicies(t);
  const found = (id: string, digest: string) => read((reader) => policyByDigest(reader, id, digest));
  for (const version of [...OF_BANK.slice(0, 3), ...BUILT_IN]) {
    const { policy, witnessPolicyDigest, policyDigest } = version;
    // If two tenants declared the same, either is found: the documents are the same.
    const {
      tenantId: _one,
      explicit: _two,
      ...documents
    } = (await found(policy.policy_id, witnessPolicyDigest)) ?? assert.fail();
    const { tenantId: _three, explicit: _four, ...expected } = version;
    assert.deepEqual(documents, expected);
    assert.equal(await found("none", witnessPolicyDigest), null);
    assert.equal(await found(policy.policy_id, policyDigest), null, "the digest of the other document");
  }
});

test("the tenants that have an id are listed once each, and the newest of all policies by id and tenant", async (t) => {
  const { read } = await withPolicies(t);
  const tenants = (id: string) => read((reader) => tenantsWithPolicy(reader, id));
  assert.deepEqual(
    [await tenants("own"), await tenants("shared"), await tenants("default")],
    [[BANK, INSURER].sort(), [BANK], []],
  );
  const expected = [BUILT_IN[0], ...[OF_BANK[2], OF_INSURER[1]].toSorted(byTenant), BUILT_IN[2], OF_BANK[3]];
  assert.deepEqual(await read(newestPolicies), expected);
});

function byTenant(one: PolicyVersion | undefined, other: PolicyVersion | undefined): number {
  return (one?.tenantId ?? "") < (other?.tenantId ?? "") ? -1 : 1;
}

test("a version is stored once, and a second one of its number moves nothing", async (t) => {
  const store = await withPolicies(t);
  await assert.rejects(insert(store, versionOf(BANK, "own", 3)), WriteConflict);
  await assert.rejects(insert(store, versionOf(null, "default", 1)), WriteConflict);
  assert.deepEqual(await store.read((reader) => policyVersions(reader, BANK, "own")), OF_BANK.slice(0, 3));
  await insert(store, versionOf(INSURER, "own", 3));
  assert.equal((await store.read((reader) => policyVersions(reader, INSURER, "own"))).length, 3);
});
