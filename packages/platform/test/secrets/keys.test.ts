/** The key of a deployment's secrets: made once, recognised, and never replaced by another without a word. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import {
  destroySecret,
  KeptSecretsKeys,
  kidOf,
  kidsOfSecrets,
  makeSecrets,
  newSecretsKey,
  Secrets,
  sealAllAnew,
  sealSecret,
  secretsKeyOf,
  takeNextKey,
  writeSecretsKey,
} from "@svc/host/secrets";
import { readSettings } from "@svc/host/settings";
import { type Database, migrate, soleSchema } from "@svc/host/store";
import { DataFolderError } from "@svc/server/program";
import { newDatabase } from "@svc/testkit/drivers";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { checkSecrets } from "../../src/secrets/check-secrets.ts";
import { openKeys, placesOf } from "../../src/secrets/deployment-keys.ts";
import { secretsSettings } from "../../src/secrets/settings.ts";

const NOW = "2026-03-01T00:00:00.000Z";
const PLACE = { tenant: "tnt_1", kind: "webhook", object: "whk_1", version: 1 };
const SECRET = Buffer.from("whsec_of-the-tenant");
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

function placesIn(name: string, variables: Readonly<Record<string, string>> = {}) {
  const folder = join(temporaryFolder(), name);
  mkdirSync(folder);
  const { values, mistakes } = readSettings(secretsSettings, variables);
  assert.deepEqual(mistakes, []);
  return { folder, places: placesOf(folder, values), settings: () => values as never };
}

async function keeping(t: TestContext) {
  const database = await newDatabase(t);
  await migrate(database, () => NOW, [soleSchema([makeSecrets(1)])]);
  const faults = async (privateFolder: string | null, settings = placesIn("none").settings) => {
    const found: string[] = [];
    for await (const { row, fault } of checkSecrets({ database, privateFolder, settings }))
      found.push(`${row.kind} ${row.object_id}: ${fault}`);
    return found;
  };
  return { database, faults };
}

const refuses = (words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof DataFolderError, String(error));
  assert.match(error.message, words);
  return true;
};

test("the first start makes the key, closed to others, and later ones know it", async (t) => {
  const { database, faults } = await keeping(t);
  const { folder, places } = placesIn("data");
  const keys = await openKeys(database, places, NOW);
  const [key] = keys.current();
  assert.equal(keys.current().length, 1);
  const { size, mode } = statSync(places.file);
  assert.deepEqual([size, mode & 0o777], [32, 0o600]);
  assert.deepEqual((await openKeys(database, places, NOW)).current()[0]?.kid, key?.kid);
  assert.deepEqual(await database.read(kidsOfSecrets), [key?.kid]);
  await database.write((writer) => new Secrets(keys).put(writer, PLACE, SECRET, NOW));
  assert.deepEqual(await faults(folder), []);
});

test("a key that is lost, another one, and one of a second folder are refused, and no key is made", async (t) => {
  const { database, faults } = await keeping(t);
  const { folder, places } = placesIn("data");
  const [key] = (await openKeys(database, places, NOW)).current();
  const second = placesIn("second");
  await assert.rejects(openKeys(database, second.places, NOW), refuses(new RegExp(`${key?.kid}.*is not there`)));
  assert.ok(!existsSync(second.places.file));
  writeSecretsKey(second.places.file);
  await assert.rejects(openKeys(database, second.places, NOW), refuses(/another one.*secrets forget/));
  writeFileSync(second.places.file, readFileSync(places.file));
  assert.equal((await openKeys(database, second.places, NOW)).current()[0]?.kid, key?.kid);

  const given = placesIn("given", { SVC_SECRETS_KEY: base64(newSecretsKey()) });
  await assert.rejects(openKeys(database, given.places, NOW), refuses(/SVC_SECRETS_KEY is another one/));
  rmSync(places.file);
  await assert.rejects(openKeys(database, places, NOW), DataFolderError);
  assert.ok(!existsSync(places.file));
  assert.deepEqual(await faults(folder), [
    `key-check service: The key-check of service is sealed under the key ${key?.kid}, which is not here.`,
  ]);
  assert.deepEqual(await faults(null), [], "without its folder nothing is looked at");
});

test("after secrets were given up, another key is the deployment's, and no third one", async (t) => {
  const { database } = await keeping(t);
  const [first, second, third] = [placesIn("first"), placesIn("second"), placesIn("third")];
  await openKeys(database, first.places, NOW);
  const place = { tenant: "", kind: "key-check", object: "service", version: 1 };
  assert.ok(await database.write((writer) => destroySecret(writer, place, NOW)));
  const [key] = (await openKeys(database, second.places, NOW)).current();
  assert.deepEqual(await database.read(kidsOfSecrets), [key?.kid]);
  for (const { places } of [first, third]) await assert.rejects(openKeys(database, places, NOW), DataFolderError);
});

test("of two servers that make their keys at once, one is refused", async (t) => {
  const { database } = await keeping(t);
  const [one, other] = [placesIn("one"), placesIn("other")];
  const ends = await Promise.allSettled([one, other].map(({ places }) => openKeys(database, places, NOW)));
  assert.deepEqual(ends.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  const [refused] = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
  refuses(/another one/)(refused);
});

test("a key that was given needs no file, and files are not looked at beside it", async (t) => {
  const { database, faults } = await keeping(t);
  const bytes = newSecretsKey();
  const { folder, places, settings } = placesIn("data", { SVC_SECRETS_KEY: base64(bytes) });
  writeSecretsKey(places.nextFile);
  const keys = await openKeys(database, places, NOW);
  assert.deepEqual(
    keys.current().map(({ kid }) => kid),
    [secretsKeyOf(bytes).kid],
  );
  assert.ok(!existsSync(places.file));
  assert.deepEqual([await faults(folder, settings), (await faults(folder)).length], [[], 1]);
  for (const text of ["short", base64(new Uint8Array(31)), `${base64(bytes)}=`, bytes.toString()])
    assert.equal(readSettings(secretsSettings, { SVC_SECRETS_KEY: text }).mistakes.length, 1, text);
});

test("a process that runs stores no secret under the key of before, however far a rotation has come", async (t) => {
  const { database, faults } = await keeping(t);
  const { folder, places } = placesIn("data");
  const running = new Secrets(await openKeys(database, places, NOW));
  const put = (object: string) => database.write((writer) => running.put(writer, { ...PLACE, object }, SECRET, NOW));
  writeSecretsKey(places.nextFile);
  const rotating = new KeptSecretsKeys(places).current();
  await put("whk_during");
  assert.equal(
    await sealAllAnew(database, rotating, () => takeNextKey(places)),
    1,
    "the other one is under it already",
  );
  await put("whk_after");
  assert.deepEqual([await database.read(kidsOfSecrets), await faults(folder)], [[rotating[0]?.kid], []]);
  const restarted = new Secrets(await openKeys(database, places, NOW));
  for (const object of ["whk_during", "whk_after"])
    assert.deepEqual(await database.read((reader) => restarted.get(reader, { ...PLACE, object })), SECRET);
});

test("a rotation ends only where no secret is left under another key", async (t) => {
  const { database } = await keeping(t);
  const { places } = placesIn("data");
  const before = await openKeys(database, places, NOW);
  writeSecretsKey(places.nextFile);
  const rotating = new KeptSecretsKeys(places).current();
  // Another process stores one between the last look and the end.
  const late = sealSecret(before.current()[0] ?? assert.fail(), PLACE, SECRET);
  let looks = 0;
  const watched: Database = {
    ...database,
    close: () => database.close(),
    write: (work, options) => database.write(work, options),
    read: async (work) => {
      const value = await database.read(work);
      looks += 1;
      if (looks === 2)
        await database.write((writer) =>
          writer.run(
            `INSERT INTO secrets VALUES ('tnt_1', 'webhook', 'whk_1', 1, $1, $2, $3, NULL)`,
            ...[kidOf(late), late, NOW],
          ),
        );
      return value;
    },
  };
  assert.equal(await sealAllAnew(watched, rotating, () => takeNextKey(places)), 2);
  assert.deepEqual(await database.read(kidsOfSecrets), [rotating[0]?.kid]);
});

test("a file that is no key is named", async (t) => {
  const { database } = await keeping(t);
  const { places } = placesIn("data");
  await openKeys(database, places, NOW);
  writeFileSync(places.file, Buffer.alloc(31));
  await assert.rejects(openKeys(database, places, NOW), (error: Error) => {
    assert.ok(error.message.startsWith(places.file) && /32 bytes, not 31/.test(error.message), error.message);
    return true;
  });
});

test("beside a rotation a process that runs opens what is sealed under either key", async (t) => {
  const { database, faults } = await keeping(t);
  const { folder, places } = placesIn("data");
  const running = new Secrets(await openKeys(database, places, NOW));
  await database.write((writer) => running.put(writer, PLACE, SECRET, NOW));
  const open = () => database.read((reader) => running.get(reader, PLACE));

  writeSecretsKey(places.nextFile);
  const rotating = new KeptSecretsKeys(places);
  assert.equal(rotating.current().length, 2);
  assert.deepEqual(await open(), SECRET);
  assert.equal(await sealAllAnew(database, rotating.current(), () => undefined), 2);
  assert.deepEqual(await open(), SECRET, "sealed anew, and the files are read again");
  // Cut off here, a start finds both, and the rotation goes on.
  assert.deepEqual((await openKeys(database, places, NOW)).current(), rotating.current());
  takeNextKey(places);
  assert.deepEqual([existsSync(places.nextFile), await open(), await faults(folder)], [false, SECRET, []]);
  assert.deepEqual(await database.read(kidsOfSecrets), [rotating.current()[0]?.kid]);
});
