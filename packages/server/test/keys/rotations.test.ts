/**
 * Rotations of the sealing key without a server: their times and rows, and the words for a database that missed some.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { issueKeyEndorsement, pinKeys, verify } from "@svc/core";
import { serviceTime } from "@svc/host/clock";
import type { Database } from "@svc/host/store";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { DataFolderError } from "../../src/data-folder/data-folder.ts";
import { kernel } from "../../src/kernel.ts";
import { catchUpRotations, type Rotated, rotateSigningKey, settleRotation } from "../../src/keys/rotate.ts";
import { newestSealedTime } from "../../src/keys/sealed-times-store.ts";
import { insertKeyEndorsement, keyEndorsements } from "../../src/signing/endorsements-store.ts";
import { newSigningKeyPem, signerOf } from "../../src/signing/file-signer.ts";
import { openKeySource } from "../../src/signing/key-source.ts";
import { currentSigningKey, insertSigningKey, retireSigningKey, signingKeys } from "../../src/signing/service-store.ts";
import { SigningKey } from "../../src/signing/signing-key.ts";
import { accessBefore } from "../../src/tenancy/access-log-store.ts";
import { databaseWithTenant, emptyDatabase, TENANT } from "../empty-database.ts";

const START = Date.parse("2026-01-01T00:00:00.000Z");
const NEXT = "signing-key.next.pem";
const ENDORSEMENTS = "key-endorsements.json";

/** Resolves to a deployment's keys: a folder with the first one, and a database that says that it seals since START. */
async function deployment(t: TestContext) {
  const dataFolder = temporaryFolder();
  const source = openKeySource({ kind: "file" }, kernel, dataFolder);
  const database = await databaseWithTenant(t);
  const at = { now: START };
  const first = await source.first();
  await seals(database, first);
  const context = { database, kernel, clock: () => at.now, source, dataFolder };
  const rotate = () => rotateSigningKey(context, async () => undefined);
  return { ...context, context, at, first, rotate };
}

function seals(database: Database, { kid, publicKeyHex }: ReturnType<typeof signerOf>): Promise<void> {
  const row = { kid, public_key_hex: publicKeyHex, valid_from: serviceTime(START) };
  return database.write((writer) => insertSigningKey(writer, row));
}

test("the new key seals from later than the old one, the old one is retired then, and the audit log has an entry", async (t) => {
  const { rotate, database, first, dataFolder, source } = await deployment(t);
  const rotated = await rotate();
  const from = serviceTime(START + 1);
  assert.deepEqual([rotated.replaces, rotated.valid_from], [first.kid, from]);
  assert.deepEqual(
    (await database.read(signingKeys)).map((key) => ({ ...key })),
    [
      { kid: rotated.kid, public_key_hex: rotated.public_key_hex, valid_from: from, retired_at: null },
      { kid: first.kid, public_key_hex: first.publicKeyHex, valid_from: serviceTime(START), retired_at: from },
    ],
  );
  const trust = pinKeys(kernel, [first.publicKeyHex]);
  assert.equal(verify(Buffer.from(JSON.stringify(rotated.endorsement)), { trust }).verdict, "verified");
  assert.deepEqual(await database.read((reader) => keyEndorsements(reader, kernel)), [rotated.endorsement]);
  assert.deepEqual(readdirSync(dataFolder).sort(), [ENDORSEMENTS, "signing-key.pem"]);
  assert.deepEqual(
    (await source.keys()).map(({ kid }) => kid),
    [rotated.kid],
  );
  const { rows } = await database.read((reader) =>
    accessBefore(
      reader,
      { tenantId: TENANT, action: "signing_key.rotated", objectId: rotated.kid },
      { after: null, most: 2 },
    ),
  );
  const [entry, ...others] = rows;
  assert.equal(others.length, 0);
  assert.deepEqual(
    [entry?.actor_kind, entry?.actor_id, entry?.at, JSON.parse(entry?.detail ?? "")],
    ["service", "svc-server", from, { replaces: first.kid, valid_from: from }],
  );
});

test("the new key seals from the time of its rotation, where that is later", async (t) => {
  const { rotate, at } = await deployment(t);
  at.now = START + 5000;
  assert.equal((await rotate()).valid_from, serviceTime(START + 5000));
});

test("the new key seals from no earlier than anything that is sealed: received or sealed over, in any stream", async (t) => {
  const { server, made } = await startServer(t);
  const { context } = server.service;
  const { database } = context;
  const source = openKeySource({ kind: "file" }, kernel, made.data_folder);
  const rotate = (received: string | null, sealed: string | null) =>
    database.write(async (writer) => {
      await writer.run("UPDATE streams SET last_received_at = $1, last_sealed_at = $2", received, sealed);
      return newestSealedTime(writer);
    });
  const [one, two] = [serviceTime(START), serviceTime(START + 1)];
  assert.deepEqual(
    [await rotate(one, two), await rotate(two, one), await rotate(null, one), await rotate(one, null)],
    [two, two, one, one],
  );
  const ahead = serviceTime(Date.now() + 60_000);
  await rotate(ahead, null);
  const rotated = await rotateSigningKey(
    { database, kernel, clock: context.clock, source, dataFolder: made.data_folder },
    async () => undefined,
  );
  assert.equal(rotated.valid_from, ahead);
});

test("nothing is sealed in an empty database", async (t) => {
  assert.equal(await (await emptyDatabase(t)).read(newestSealedTime), null);
});

test("a key that must not seal stops the rotation, and the next one takes the same key", async (t) => {
  const { context, rotate, database, first, dataFolder } = await deployment(t);
  const refused = new Error("not this one");
  let asked = "";
  await assert.rejects(
    rotateSigningKey(context, async (successor, reader) => {
      asked = successor.kid;
      assert.equal((await currentSigningKey(reader))?.kid, first.kid);
      throw refused;
    }),
    refused,
  );
  assert.equal((await database.read(currentSigningKey))?.kid, first.kid);
  assert.ok(existsSync(join(dataFolder, NEXT)) && !existsSync(join(dataFolder, ENDORSEMENTS)));
  assert.equal((await rotate()).kid, asked);
});

test("a rotation whose files could not follow its commit is reported as done, and settled later", async (t) => {
  const { context, source, database, dataFolder } = await deployment(t);
  const broken = {
    ...source,
    settle: (kid: string) => {
      if (kid !== first) throw new Error("read-only");
    },
  };
  const first = (await database.read(currentSigningKey))?.kid;
  await assert.rejects(
    rotateSigningKey({ ...context, source: broken }, async () => undefined),
    (error) => error instanceof DataFolderError && /seals now.*read-only.*start the server again/.test(error.message),
  );
  const now = (await database.read(currentSigningKey))?.kid;
  assert.notEqual(now, first);
  assert.ok(existsSync(join(dataFolder, NEXT)));
  // The next rotation fails: the key that seals must not be overwritten under its old name.
  await assert.rejects(rotateSigningKey(context, () => Promise.reject(new Error("not this one"))));
  assert.ok((await source.keys()).some(({ kid }) => kid === now));
  await settleRotation(context);
  writeFileSync(join(dataFolder, NEXT), readFileSync(join(dataFolder, "signing-key.pem")));
  await settleRotation(context);
  assert.ok(!existsSync(join(dataFolder, NEXT)));
});

test("a key that has sealed before is no successor, wherever it lies", async (t) => {
  const { rotate, first, dataFolder } = await deployment(t);
  const retired = readFileSync(join(dataFolder, "signing-key.pem"));
  const second = await rotate();
  writeFileSync(join(dataFolder, NEXT), retired);
  const third = await rotate();
  assert.equal(third.replaces, second.kid);
  assert.equal(new Set([first.kid, second.kid, third.kid]).size, 3);
});

test("where no key seals nothing is settled, though keys have been endorsed", async (t) => {
  const { context, rotate, database, dataFolder } = await deployment(t);
  await rotate();
  const { kid } = (await database.read(currentSigningKey)) ?? assert.fail();
  await database.write((writer) => retireSigningKey(writer, kid, serviceTime(START + 9)));
  rmSync(join(dataFolder, ENDORSEMENTS));
  await settleRotation(context);
  assert.ok(!existsSync(join(dataFolder, ENDORSEMENTS)));
});

test("without a rotation, and without a deployment, nothing is settled", async (t) => {
  const { context, source, dataFolder, first } = await deployment(t);
  writeFileSync(join(dataFolder, NEXT), newSigningKeyPem());
  await settleRotation(context);
  assert.deepEqual(readdirSync(dataFolder).sort(), [NEXT, "signing-key.pem"]);
  const other = await source.successor(new Set());
  const database = await emptyDatabase(t);
  await database.write(async (writer) => {
    const row = { kid: first.kid, public_key_hex: first.publicKeyHex, valid_from: serviceTime(START) };
    await insertSigningKey(writer, row);
    await insertSigningKey(writer, { ...row, kid: other.kid, public_key_hex: other.publicKeyHex });
  });
  await settleRotation({ ...context, database });
  assert.ok(!existsSync(join(dataFolder, ENDORSEMENTS)));
  assert.deepEqual(await catchUpRotations({ ...context, database: await emptyDatabase(t) }), []);
});

/** Resolves to two rotations, and a database from before them. */
async function rotatedTwice(t: TestContext) {
  const here = await deployment(t);
  const rotations: [Rotated, Rotated] = [await here.rotate(), await here.rotate()];
  const old = await databaseWithTenant(t);
  await seals(old, here.first);
  const file = join(here.dataFolder, ENDORSEMENTS);
  return { ...here, rotations, old, file, catchUp: () => catchUpRotations({ ...here.context, database: old }) };
}

test("a database from before two rotations is led on by both, once", async (t) => {
  const { rotations, old, catchUp, database } = await rotatedTwice(t);
  const kids = rotations.map(({ kid }) => kid);
  assert.deepEqual(await catchUp(), kids);
  const rows = async (one: Database) => (await one.read(signingKeys)).map((key) => ({ ...key }));
  assert.deepEqual(await rows(old), await rows(database));
  assert.deepEqual(
    await old.read((reader) => keyEndorsements(reader, kernel)),
    rotations.map(({ endorsement }) => endorsement),
  );
  assert.deepEqual(await catchUp(), []);
});

test("endorsements that do not hold, lead in a circle or to a key that is not here change nothing", async (t) => {
  const { rotations, old, file, catchUp, source, dataFolder, first } = await rotatedTwice(t);
  const [one, two] = rotations.map(({ endorsement }) => endorsement);
  const refused = async (endorsements: unknown[], why: RegExp) => {
    writeFileSync(file, JSON.stringify(endorsements));
    await assert.rejects(catchUp(), (error) => error instanceof DataFolderError && why.test(error.message));
    assert.equal((await old.read(currentSigningKey))?.kid, first.kid);
  };
  await refused([{ ...one, valid_from: serviceTime(START + 2) }, two], /does not hold/);
  await refused([one, { ...two, valid_from: serviceTime(START + 9) }], /does not hold/);
  await refused([one], /says that .* seals, and signing-key\.pem in .* holds .*Put the original of the key back/);
  writeFileSync(join(dataFolder, "signing-key.pem"), newSigningKeyPem());
  await refused([one, two], /says that/);
  assert.equal((await source.keys()).length, 1);
});

test("endorsements that lead back to their beginning are refused", async (t) => {
  const { old, file, catchUp, dataFolder, database, first, rotations } = await rotatedTwice(t);
  const signer = signerOf(kernel, readFileSync(join(dataFolder, "signing-key.pem"), "utf8"), "key");
  const back = await issueKeyEndorsement(kernel, signer, first.publicKeyHex, serviceTime(START + 10));
  writeFileSync(file, JSON.stringify([...rotations.map(({ endorsement }) => endorsement), back]));
  await assert.rejects(catchUp(), /leads back/);
  assert.equal((await old.read(currentSigningKey))?.kid, first.kid);
  assert.notEqual((await database.read(currentSigningKey))?.kid, first.kid);
});

test("the key that seals is read once, and anew as soon as another one does; without it, both are named", async (t) => {
  const { context, database, source, first, rotate } = await deployment(t);
  let looks = 0;
  const counted = {
    place: source.place,
    keys: () => {
      looks += 1;
      return source.keys();
    },
  };
  const signingKey = new SigningKey(kernel, counted);
  const current = () => database.read((reader) => signingKey.current(reader));
  const one = await current();
  assert.deepEqual([one.kid, one.validFrom], [first.kid, serviceTime(START)]);
  assert.equal(await current(), one);
  assert.equal(looks, 1);
  const rotated = await rotate();
  assert.deepEqual([(await current()).kid, (await current()).validFrom], [rotated.kid, rotated.valid_from]);
  const { key_hints, key_endorsements } = await database.read((reader) => signingKey.carried(reader));
  assert.deepEqual(key_endorsements, [rotated.endorsement]);
  assert.deepEqual(new Set(key_hints.map(({ kid }) => kid)), new Set([first.kid, rotated.kid]));

  const empty = await emptyDatabase(t);
  await assert.rejects(
    empty.read((reader) => signingKey.current(reader)),
    (error) => error instanceof DataFolderError && /seals with no key, and signing-key\.pem in/.test(error.message),
  );
  const nowhere = new SigningKey(kernel, { place: "nowhere", keys: async () => [] });
  await assert.rejects(
    context.database.read((reader) => nowhere.current(reader)),
    new RegExp(`seals with ${rotated.kid}, and nowhere holds none`),
  );
  await database.write((writer) =>
    writer.run("UPDATE signing_keys SET public_key_hex = $1 WHERE retired_at IS NULL", "0".repeat(64)),
  );
  await assert.rejects(current(), DataFolderError);
});

test("an endorsement that was changed in the database, or is another object, is not read", async (t) => {
  const { database, rotate } = await deployment(t);
  const { endorsement } = await rotate();
  const read = () => database.read((reader) => keyEndorsements(reader, kernel));
  assert.deepEqual(await read(), [endorsement]);
  await assert.rejects(
    database.write((writer) => insertKeyEndorsement(writer, endorsement, serviceTime(START))),
    /UNIQUE|unique/,
  );
  const { client, made } = await startServer(t);
  const { text: receipt } = await client.append(made.stream_id, loan(1));
  for (const document of ["{}", "", JSON.stringify({ ...endorsement, more: 1 }), receipt]) {
    await database.write((writer) => writer.run("UPDATE key_endorsements SET document = $1", document));
    await assert.rejects(read(), /is not in the form of one/);
  }
});

test("a database with evidence from after a rotation that it does not know is not led on", async (t) => {
  const { server, made } = await startServer(t);
  const { database, signingKey } = server.service.context;
  const old = await database.read((reader) => signingKey.current(reader));
  const next = signerOf(kernel, newSigningKeyPem(), "next");
  const from = serviceTime(Date.parse(old.validFrom) + 10_000);
  const endorsement = await issueKeyEndorsement(kernel, old, next.publicKeyHex, from);
  const source = { ...openKeySource({ kind: "file" }, kernel, made.data_folder), keys: async () => [old, next] };
  writeFileSync(join(made.data_folder, ENDORSEMENTS), JSON.stringify([endorsement]));
  const catchUp = async (sealed: string | null) => {
    await database.write((writer) => writer.run("UPDATE streams SET last_sealed_at = $1", sealed));
    return catchUpRotations({ database, kernel, source, dataFolder: made.data_folder });
  };
  await assert.rejects(catchUp(serviceTime(Date.parse(from) + 1)), /it is not from before that rotation/);
  assert.equal((await database.read(currentSigningKey))?.kid, old.kid);
  assert.deepEqual(await catchUp(from), [next.kid]);
});
