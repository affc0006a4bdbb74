/** Sealed secrets: nothing of them is in the database, one that was moved or changed does not open, and keys rotate. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { newDatabase } from "@svc/testkit/drivers";
import {
  kidOf,
  kidsOfSecrets,
  makeSecrets,
  newSecretsKey,
  openSecret,
  SecretError,
  type SecretFault,
  type SecretPlace,
  Secrets,
  type SecretsKey,
  sealAllAnew,
  sealSecret,
  secretsAfter,
  secretsKeyFromText,
  secretsKeyOf,
} from "../../src/secrets/index.ts";
import { migrate, soleSchema } from "../../src/store/migrate.ts";

const NOW = "2026-03-01T00:00:00.000Z";
const PLACE: SecretPlace = { tenant: "tnt_1", kind: "webhook", object: "whk_1", version: 1 };
const SECRET = Buffer.from("whsec_of-the-tenant");
const newKey = () => secretsKeyOf(newSecretsKey());

function assertFault(open: () => unknown, fault: SecretFault, what: string): void {
  assert.throws(
    open,
    (error) => {
      assert.ok(error instanceof SecretError, `${what}: ${error}`);
      assert.equal(error.fault, fault, what);
      assert.ok(!error.message.includes(SECRET.toString()), what);
      return true;
    },
    what,
  );
}

test("a sealed secret opens in its place under its key, and in no other", () => {
  const [key, other] = [newKey(), newKey()];
  const text = sealSecret(key, PLACE, SECRET);
  assert.deepEqual(openSecret([other, key], PLACE, text), SECRET);
  assert.equal(kidOf(text), key.kid);
  assert.ok(!text.includes(SECRET.toString()) && !text.includes(SECRET.toString("base64")));
  assert.notEqual(sealSecret(key, PLACE, SECRET), text, "each has another nonce");
  assertFault(() => openSecret([other], PLACE, text), "key_missing", "another key");
  assertFault(() => openSecret([], PLACE, text), "key_missing", "no key");
  for (const change of [{ tenant: "tnt_2" }, { kind: "connector" }, { object: "whk_2" }, { version: 2 }])
    assertFault(() => openSecret([key], { ...PLACE, ...change }, text), "of_another_place", JSON.stringify(change));
  // The same key under another name.
  assertFault(() => openSecret([{ ...key, kid: other.kid }], PLACE, text), "key_missing", "another name");
  assert.deepEqual(openSecret([key], PLACE, sealSecret(key, PLACE, new Uint8Array())), Buffer.alloc(0));
});

test("no change of a sealed text opens", () => {
  const key = newKey();
  const text = sealSecret(key, PLACE, SECRET);
  for (let at = 0; at < text.length; at++)
    for (const changed of [
      `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`,
      text.slice(0, at),
      `${text.slice(0, at)} ${text.slice(at)}`,
    ])
      if (changed !== text) assert.throws(() => openSecret([key], PLACE, changed), SecretError, changed);
  const { header, sealed } = JSON.parse(text);
  for (const changed of [
    { header: { ...header, more: 1 }, sealed },
    { header: { ...header, cipher: "aes-256-cbc" }, sealed },
    { header: { ...header, version: 2 }, sealed },
    { header: Object.fromEntries(Object.entries(header).reverse()), sealed },
    { header, sealed: "" },
    { header, sealed: Buffer.from(sealed, "base64").subarray(0, 8).toString("base64") },
  ])
    assert.throws(() => openSecret([key], PLACE, JSON.stringify(changed)), SecretError, JSON.stringify(changed));
  for (const none of ["", "null", "[]", "{}", '{"header":null,"sealed":""}', '{"header":{},"sealed":1}'])
    assertFault(() => openSecret([key], PLACE, none), "damaged", none);
});

test("a key is 32 bytes, and base64 has one spelling of it", () => {
  const bytes = newSecretsKey();
  const text = Buffer.from(bytes).toString("base64");
  assert.deepEqual(secretsKeyFromText(text), Buffer.from(bytes));
  assert.match(secretsKeyOf(bytes).kid, /^[0-9a-f]{16}$/);
  assert.equal(secretsKeyOf(bytes).kid, secretsKeyOf(Uint8Array.from(bytes)).kid);
  for (const wrong of [
    "",
    text.slice(0, -1),
    `${text}=`,
    ` ${text}`,
    text.replace(/.=$/, "B="),
    Buffer.alloc(31).toString("base64"),
  ])
    assert.equal(secretsKeyFromText(wrong), null, wrong);
  assert.throws(() => secretsKeyOf(new Uint8Array(31)), RangeError);
});

async function stored(t: TestContext) {
  const database = await newDatabase(t);
  await migrate(database, () => NOW, [soleSchema([makeSecrets(1)])]);
  let [keys, elsewhere]: (readonly SecretsKey[])[] = [[newKey()], []];
  const secrets = new Secrets({
    current: () => keys ?? [],
    reload: () => {
      keys = elsewhere?.length === 0 ? keys : elsewhere;
    },
  });
  return {
    database,
    secrets,
    keys: () => keys ?? [],
    rotatedElsewhere: (next: readonly SecretsKey[]) => {
      elsewhere = next;
    },
    put: (place: SecretPlace, secret = SECRET) => database.write((writer) => secrets.put(writer, place, secret, NOW)),
    get: (place: SecretPlace) => database.read((reader) => secrets.get(reader, place)),
    rows: () => database.read((reader) => secretsAfter(reader, { tenant: "", kind: "", object: "", version: 0 }, 1000)),
  };
}

test("a secret is kept until it is destroyed, and nobody takes its place", async (t) => {
  const { database, secrets, put, get, rows } = await stored(t);
  await put(PLACE);
  assert.deepEqual(await get(PLACE), SECRET);
  assert.equal(await get({ ...PLACE, version: 2 }), null);
  await assert.rejects(put(PLACE));
  const destroy = () => database.write((writer) => secrets.destroy(writer, PLACE, NOW));
  assert.deepEqual([await destroy(), await destroy()], [true, false]);
  assert.equal(await get(PLACE), null);
  assert.deepEqual(
    (await rows()).map(({ sealed, destroyed_at }) => [sealed, destroyed_at]),
    [[null, NOW]],
  );
  await assert.rejects(put(PLACE));
});

test("a secret that was moved to another row does not open", async (t) => {
  const { database, put, get } = await stored(t);
  const other = { ...PLACE, tenant: "tnt_2" };
  await put(PLACE);
  await put(other, Buffer.from("other"));
  await database.write((writer) =>
    writer.run(
      "UPDATE secrets SET sealed = (SELECT sealed FROM secrets WHERE tenant_id = 'tnt_1') WHERE tenant_id = 'tnt_2'",
    ),
  );
  await assert.rejects(get(other), (error) => error instanceof SecretError && error.fault === "of_another_place");
});

test("a rotation seals every secret anew, beside those who use them", async (t) => {
  const { database, secrets, keys, rotatedElsewhere, put, get, rows } = await stored(t);
  const places = Array.from({ length: 250 }, (_, index) => ({ ...PLACE, object: `whk_${index}` }));
  for (const place of places) await put(place, Buffer.from(place.object));
  const [gone] = places;
  assert.ok(gone !== undefined);
  await database.write((writer) => secrets.destroy(writer, gone, NOW));
  const next = newKey();
  assert.equal(await sealAllAnew(database, [next, ...keys()], () => undefined), 249);
  assert.deepEqual(await database.read(kidsOfSecrets), [next.kid]);
  // A server that does not know the key yet reads the files again; without them it says which key is missing.
  const second = places[1] ?? PLACE;
  await assert.rejects(get(second), (error) => error instanceof SecretError && error.kid === next.kid);
  rotatedElsewhere([next, ...keys()]);
  assert.deepEqual(await get(second), Buffer.from("whk_1"));
  assert.equal(await sealAllAnew(database, [next], () => undefined), 0);
  assert.deepEqual((await rows()).filter(({ sealed }) => sealed === null).length, 1);
  await put({ ...PLACE, object: "whk_new" });
  assert.deepEqual(await database.read(kidsOfSecrets), [next.kid], "the newest key seals");
});

test("a rotation ends at a secret that no key opens, and says which", async (t) => {
  const { database, put } = await stored(t);
  await put(PLACE);
  await assert.rejects(
    sealAllAnew(database, [newKey()], () => undefined),
    /^SecretError: The webhook of whk_1 is sealed under the key [0-9a-f]{16}, which is not here\.$/,
  );
});
