/** Rotations of the key of the service's own witness: beside a server, and step by step. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { PublicKeyHex, WitnessKey } from "@svc/core";
import { Lease } from "@svc/host/jobs";
import { UsageError } from "@svc/host/settings";
import type { Reader } from "@svc/host/store";
import { command } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { DataFolderError } from "../../src/data-folder/data-folder.ts";
import { kernel } from "../../src/kernel.ts";
import { defaultPolicy } from "../../src/policies/default-policy.ts";
import { ownWitness, ownWitnessKeys } from "../../src/policies/own-witness.ts";
import { insertPolicyVersion, newestPolicy, policyVersions } from "../../src/policies/policies-store.ts";
import { closeDueWindows } from "../../src/sealing/close-windows.ts";
import { newSigningKeyPem, signerOf } from "../../src/signing/file-signer.ts";
import { witnessKeys } from "../../src/signing/witness-keys.ts";
import { demandSealOf } from "../../src/streams/streams-store.ts";
import { systemKeysOf } from "../../src/tenancy/system-keys.ts";
import { catchUpWitness, rotateWitness, settleWitness } from "../../src/witness-keys/rotate.ts";
import { append, changed, contextUnderTest, ONE_STREAM, seal } from "../context-under-test.ts";
import { BANK, LOANS } from "../store-under-test.ts";

/** Resolves to a deployment whose rotations the test takes step by step. */
async function deployment(t: TestContext) {
  const { context, store, now } = await contextUnderTest(t);
  const { path } = context.folder;
  const source = witnessKeys(kernel, path);
  const rotation = { ...context, source, dataFolder: path };
  const keyOf = (name: string) => signerOf(kernel, readFileSync(join(path, name), "utf8"), name).publicKeyHex;
  return {
    context,
    store,
    now,
    rotation,
    keyOf,
    isThere: (name: string) => existsSync(join(path, name)),
    own: () => store.read(ownWitness),
    rotate: () => rotateWitness(rotation, null),
    settle: () => settleWitness(rotation),
  };
}

test("beside a server: old and new cosignatures verify in one pack, which says that its witness is the service's own", async (t) => {
  const { client, made, server } = await startServer(t);
  const { stream_id, data_folder: folder } = made;
  const { context } = server.service;
  const key = () => signerOf(kernel, readFileSync(join(folder, "witness-key.pem"), "utf8"), "").publicKeyHex;
  const rotate = async () => {
    const { code, out, err } = await command(["keys", "rotate-witness", "--data", folder, "--json"]);
    assert.equal(code, 0, err);
    return JSON.parse(out);
  };
  const first = key();
  await client.append(stream_id, loan(1));
  await client.witnessed(stream_id, 1);
  const rotated = await rotate();
  assert.deepEqual([rotated.replaces, rotated.key_epoch, rotated.old_key_is_needed], [first, 2, false]);
  assert.deepEqual([key(), existsSync(join(folder, "witness-key.next.pem"))], [rotated.public_key_hex, false]);
  await client.append(stream_id, loan(2));
  await client.witnessed(stream_id, 2);
  const pack = await client.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no: 2 });
  const report = assertVerified(pack.text, made.public_key_hex, "bundle");
  assert.deepEqual(report.assurance.witnessed, { required: 1, valid: 1, pinned: 0 });
  assert.match(JSON.stringify(report.checks), /only the signer's own witness has cosigned: it is not independent/);
  const { statements, witness_policies } = JSON.parse(pack.text).artifacts["witnesses.json"];
  assert.deepEqual(
    statements.map(({ witness_id, key_epoch }: { witness_id: string; key_epoch: number }) => [witness_id, key_epoch]),
    [
      ["managed", 1],
      ["managed", 2],
    ],
  );
  assert.equal(witness_policies.length, 2);
  const anybody = new Client(server.url, "");
  const { body: now } = await anybody.get("/v2/witness/policies/default");
  assert.deepEqual(
    [now.policy_version, now.mode, now.witnessKeys.length, now.witnessKeys[0].public_key_hex],
    [2, "managed-shadow", 1, rotated.public_key_hex],
  );
  const { body: before } = await anybody.get("/v2/witness/policies/default?version=1");
  assert.equal(before.witnessKeys[0].public_key_hex, first);

  // No policy can declare one of its keys, an old one either, as that of another witness.
  const owner = { tenantId: made.tenant_id, systemId: made.system_id };
  const limits = { actions: ["declare_policy"] as const, streams: null };
  const actor = { tenantId: made.tenant_id, kind: "service" as const, id: "test", roles: [] };
  const admin = new Client(
    server.url,
    await context.database.write((writer) => systemKeysOf(context).create(writer, { ...owner, limits }, actor)),
  );
  for (const public_key_hex of [first, rotated.public_key_hex]) {
    const witnessKeys = [{ witness_id: "w1", name: "w1.example", public_key_hex }];
    const { status, body } = await admin.put("/v2/tenant/witness/policies/mine", { mode: "independent", witnessKeys });
    assert.deepEqual([status, body.detail.code], [422, "witness_not_independent"]);
  }
  const again = await rotate();
  assert.deepEqual([again.replaces, again.key_epoch], [rotated.public_key_hex, 3]);
  await client.append(stream_id, loan(3));
  await client.witnessed(stream_id, 3);
  const { out } = await command(["fsck", "--data", folder, "--json"]);
  assert.deepEqual(JSON.parse(out).faults, []);
  const log = await command(["audit-log", "--action", "witness_key.rotated", "--data", folder, "--json"]);
  assert.equal(JSON.parse(log.out).entries.length, 2);
});

test("the old key stays as long as something waits for it, and no further rotation begins", async (t) => {
  const { context, store, now, keyOf, isThere, own, rotate, settle } = await deployment(t);
  const first = (await own()).public_key_hex;
  await append(context, LOANS, ONE_STREAM, 1);
  await store.write((writer) => demandSealOf(writer, BANK, ONE_STREAM, 1));
  // Its window names the policy of before the rotation.
  const lease = new Lease(context, "sealer");
  assert.ok(await lease.acquire());
  await closeDueWindows(context, {
    lease,
    stop: new AbortController().signal,
    onError: (error) => assert.fail(String(error)),
  });
  await lease.release();
  const rotated = await rotate();
  assert.equal(await settle(), true);
  assert.deepEqual([keyOf("witness-key.pem"), keyOf("witness-key.next.pem")], [first, rotated.public_key_hex]);
  await assert.rejects(rotate(), DataFolderError);

  await seal(context, BANK, ONE_STREAM);
  now.seconds += 10;
  await append(context, LOANS, ONE_STREAM, 1);
  await seal(context, BANK, ONE_STREAM);
  const epochs = await store.read((reader) =>
    reader.all("SELECT key_epoch FROM witness_statements ORDER BY window_count"),
  );
  assert.deepEqual(
    epochs.map((row) => ({ ...(row as object) })),
    [{ key_epoch: 1 }, { key_epoch: 2 }],
  );
  assert.equal(await settle(), false);
  assert.deepEqual([keyOf("witness-key.pem"), isThere("witness-key.next.pem")], [rotated.public_key_hex, false]);
  assert.equal((await rotate()).key_epoch, 3);
});

test("each policy that lists the key gets a version with the next one; the rest of it stays as it was", async (t) => {
  const { store, now, rotation, own, rotate } = await deployment(t);
  const before = await own();
  const outside: WitnessKey = {
    witness_id: "w1",
    name: "w1.example",
    public_key_hex: "ab".repeat(32) as PublicKeyHex,
    key_epoch: 1,
    valid_from: before.valid_from,
    valid_to: null,
    managed: false,
  };
  const builtIn = defaultPolicy(kernel, rotation.origin, before.public_key_hex, before.valid_from);
  const declare = (policy_id: string, witnessKeys: WitnessKey[], mode: "managed-shadow" | "independent") =>
    store.write((writer) =>
      insertPolicyVersion(
        writer,
        {
          ...builtIn,
          tenantId: BANK,
          policy: { ...builtIn.policy, policy_id },
          witnessPolicy: { ...builtIn.witnessPolicy, policy_id, witnessKeys, mode },
          witnessPolicyDigest: policy_id as never,
        },
        before.valid_from,
      ),
    );
  const ended = { ...before, valid_to: before.valid_from };
  await declare("both", [outside, { ...before, witness_id: "own", key_epoch: 7 }], "managed-shadow");
  await declare("others", [outside], "independent");
  await declare("ended", [outside, ended], "managed-shadow");
  now.seconds += 60;
  const { policies, public_key_hex, valid_from } = await rotate();
  assert.equal(policies, 2);
  const newest = async (id: string) => (await store.read((reader) => newestPolicy(reader, BANK, id)))?.witnessPolicy;
  const next = { name: before.name, public_key_hex, valid_from };
  assert.deepEqual((await newest("both"))?.witnessKeys, [
    outside,
    { ...before, ...next, witness_id: "own", key_epoch: 8 },
  ]);
  assert.deepEqual((await newest("default"))?.witnessKeys, [{ ...before, ...next, key_epoch: 2 }]);
  assert.deepEqual(
    [(await newest("others"))?.policy_version, (await newest("ended"))?.policy_version, (await newest("both"))?.mode],
    [1, 1, "managed-shadow"],
  );
});

test("a database from before rotations is led on by them to the very same policies", async (t) => {
  const { store, rotation, rotate, settle, own } = await deployment(t);
  for (let times = 0; times < 2; times++) {
    await rotate();
    await settle();
  }
  const policies = () => store.read((reader) => policyVersions(reader, "", "default"));
  const known = await policies();
  assert.equal(known.length, 3);
  await catchUpWitness(rotation);
  assert.deepEqual(await policies(), known);
  for (const table of ["policies", "witness_policies"])
    await store.write((writer) => writer.run(`DELETE FROM ${table} WHERE policy_version > 1`));
  assert.equal((await own()).key_epoch, 1);
  await catchUpWitness(rotation);
  assert.deepEqual(await policies(), known);
});

test("a start without a successor does not look for what waits: that goes through all that is not cosigned", async (t) => {
  const { rotation, rotate } = await deployment(t);
  const asked: string[] = [];
  const database = changed(rotation.database, {
    read: (work) =>
      rotation.database.read((reader) => {
        const all: Reader["all"] = (sql, ...values) => {
          asked.push(sql);
          return reader.all(sql, ...values);
        };
        return work(changed(reader, { all }));
      }),
  });
  const looked = async () => {
    asked.length = 0;
    await settleWitness({ ...rotation, database });
    return asked.some((sql) => sql.includes("FROM outbox"));
  };
  assert.equal(await looked(), false);
  assert.ok(asked.length > 0);
  await rotate();
  assert.equal(await looked(), true);
});

test("a process becomes the witness only where it is nobody else, and its keys never seal", async (t) => {
  const { store, rotation, own, rotate } = await deployment(t);
  const fresh = () => signerOf(kernel, newSigningKeyPem(), "").publicKeyHex;
  const refused = async (name: string, public_key_hex: PublicKeyHex, words: RegExp) =>
    assert.rejects(
      rotateWitness(rotation, { name, public_key_hex }),
      (error) => error instanceof UsageError && words.test(error.message),
    );
  const first = await own();
  await refused(first.name, fresh(), /the name of the witness in the server/);
  await refused("own.example", first.public_key_hex, /has been that witness's before/);
  const { publicKeyHex: sealing } = await store.read((reader) => rotation.signingKey.current(reader));
  await refused("own.example", sealing, /seals here/);
  const builtIn = defaultPolicy(kernel, rotation.origin, first.public_key_hex, first.valid_from);
  const listed = { ...first, name: "w1.example", public_key_hex: fresh(), managed: false };
  const others = {
    ...builtIn,
    tenantId: BANK,
    policy: { ...builtIn.policy, policy_id: "others" },
    witnessPolicy: { ...builtIn.witnessPolicy, policy_id: "others", witnessKeys: [listed] },
  };
  await store.write((writer) => insertPolicyVersion(writer, others, first.valid_from));
  await refused("w1.example", fresh(), /list it as a witness of somebody else \(others\)/);
  await refused("own.example", listed.public_key_hex, /list it as a witness of somebody else \(others\)/);

  const moved = await rotateWitness(rotation, { name: "own.example", public_key_hex: fresh() });
  assert.deepEqual([(await own()).name, (await own()).managed, moved.key_epoch], ["own.example", true, 2]);
  // It comes back with a new key.
  const back = await rotate();
  assert.equal(await settleWitness(rotation), false);
  assert.deepEqual(
    (await store.read(ownWitnessKeys)).map(({ public_key_hex }) => public_key_hex),
    [first.public_key_hex, moved.public_key_hex, back.public_key_hex],
  );
  assert.deepEqual(
    (await rotation.source.keys()).map(({ publicKeyHex }) => publicKeyHex),
    [back.public_key_hex],
  );
});

test("a key that is lost for good is replaced, and what waited for it holds nothing up", async (t) => {
  const { context, store, now, rotation, rotate, settle } = await deployment(t);
  await append(context, LOANS, ONE_STREAM, 1);
  writeFileSync(join(context.folder.path, "witness-key.pem"), newSigningKeyPem());
  await assert.rejects(
    seal(context, BANK, ONE_STREAM),
    /The witness's key of epoch 1, [0-9a-f]{64}, is not in this data/,
  );
  await rotate();
  now.seconds += 3600;
  await append(context, LOANS, ONE_STREAM, 1);
  await seal(context, BANK, ONE_STREAM);
  const [only, ...more] = await store.read((reader) =>
    reader.all<{ key_epoch: number; window_count: number }>("SELECT key_epoch, window_count FROM witness_statements"),
  );
  assert.deepEqual([only?.key_epoch, only?.window_count, more], [2, 2, []]);
  assert.equal(await settle(), false);
  assert.equal((await rotation.source.keys()).length, 1);
});
