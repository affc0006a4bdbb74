/** Sources of sealing keys: settings, files, the environment; and the file of endorsements beside them. */
import assert from "node:assert/strict";
import { createPrivateKey, generateKeyPairSync, verify } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { issueKeyEndorsement, issueReceipt, kidOf, VERSION, ZERO_HASH } from "@svc/core";
import { readSettings } from "@svc/host/settings";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { DataFolderError } from "../../src/data-folder/data-folder.ts";
import { kernel } from "../../src/kernel.ts";
import { keepEndorsements, storedEndorsements } from "../../src/signing/endorsements-file.ts";
import { type KidSigner, privateKeyOf, signerOf } from "../../src/signing/file-signer.ts";
import { keySettingsOf, keyVariables } from "../../src/signing/key-settings.ts";
import { openKeySource } from "../../src/signing/key-source.ts";
import { keyedHashUnder } from "../../src/signing/keyed-hash.ts";

const TIME = "2026-01-01T00:00:00.000Z";
const newPem = () => generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }) as string;
const PEMS = [newPem(), newPem(), newPem()] as const;
const [first, second, third] = [0, 1, 2].map((index) => () => signerOf(kernel, PEMS[index] ?? "", "test.pem")) as [
  () => KidSigner,
  () => KidSigner,
  () => KidSigner,
];

function seedOf(pem: string): string {
  const { d = "" } = createPrivateKey(pem).export({ format: "jwk" });
  return Buffer.from(d, "base64url").toString("base64");
}

/** Returns the values of settings, and their mistakes. */
function read(environment: Record<string, string | undefined>) {
  const read = readSettings(keyVariables, environment);
  const { settings, mistakes } = keySettingsOf(read.values, environment);
  return { settings, mistakes: [...read.mistakes, ...mistakes] };
}

test("without settings, and with empty ones, the key is in the folder", () => {
  const nothing = { settings: { kind: "file" }, mistakes: [] };
  assert.deepEqual(read({}), nothing);
  assert.deepEqual(read({ SVC_SIGNING_KEY: "", SVC_NEXT_SIGNING_KEY: undefined, SVC_PKCS11_TOKEN: "" }), nothing);
  assert.deepEqual(read({ SVC_SIGNING_KEY: " \n" }), nothing);
});

test("a key in the environment is PEM or seed, with blanks around it; its successor comes beside it", async () => {
  const { settings, mistakes } = read({ SVC_SIGNING_KEY: `\n ${seedOf(PEMS[0])} `, SVC_NEXT_SIGNING_KEY: PEMS[1] });
  assert.deepEqual(mistakes, []);
  const source = openKeySource(settings, kernel, "/nowhere");
  assert.deepEqual([source.place, source.isLive], ["SVC_SIGNING_KEY", false]);
  assert.deepEqual(
    (await source.keys()).map(({ kid }) => kid),
    [first().kid, second().kid],
  );
  assert.equal((await source.first()).kid, first().kid);
  assert.equal((await source.successor(new Set([first().kid]))).kid, second().kid);
  await assert.rejects(source.successor(new Set([first().kid, second().kid])), DataFolderError);
  source.settle(second().kid);
  source.close();

  const alone = openKeySource(read({ SVC_SIGNING_KEY: PEMS[0] }).settings, kernel, "/nowhere");
  assert.deepEqual(
    (await alone.keys()).map(({ kid }) => kid),
    [first().kid],
  );
  await assert.rejects(alone.successor(new Set()), DataFolderError);
});

test("an invalid key, and a successor without a key, are mistakes", () => {
  for (const name of ["SVC_SIGNING_KEY", "SVC_NEXT_SIGNING_KEY"]) {
    const { mistakes } = read({ SVC_SIGNING_KEY: PEMS[0], [name]: "no key" });
    assert.equal(mistakes.length, 1, name);
    assert.match(mistakes[0] ?? "", new RegExp(`^${name} is no Ed25519 private key`));
  }
  const { mistakes } = read({ SVC_NEXT_SIGNING_KEY: PEMS[0] });
  assert.equal(mistakes.length, 1);
  assert.match(mistakes[0] ?? "", /^SVC_NEXT_SIGNING_KEY follows a key in SVC_SIGNING_KEY/);
});

const TOKEN = {
  SVC_PKCS11_MODULE: "/lib/token.so",
  SVC_PKCS11_TOKEN: "svc",
  SVC_PKCS11_KEY: "seal",
  SVC_PKCS11_PIN_FILE: "/pin",
};

test("a token has all four of its settings, or is a mistake that names those that are missing", () => {
  const whole = { kind: "pkcs11", module: "/lib/token.so", token: "svc", label: "seal", pinFile: "/pin" };
  assert.deepEqual(read(TOKEN), { settings: whole, mistakes: [] });
  const { settings, mistakes } = read({ ...TOKEN, SVC_PKCS11_TOKEN: "", SVC_PKCS11_PIN_FILE: undefined });
  assert.deepEqual(settings, { ...whole, token: "", pinFile: "" });
  assert.deepEqual(mistakes, [
    "Set SVC_PKCS11_TOKEN, SVC_PKCS11_PIN_FILE too: without all four, SVC_PKCS11_MODULE, SVC_PKCS11_KEY say nothing.",
  ]);
  for (const [name, value] of Object.entries(TOKEN)) assert.equal(read({ [name]: value }).mistakes.length, 1, name);
});

test("a token and a key in the environment do not go together", () => {
  for (const name of ["SVC_SIGNING_KEY", "SVC_NEXT_SIGNING_KEY"]) {
    const { mistakes } = read({ ...TOKEN, [name]: PEMS[0] });
    assert.equal(mistakes.length, 1, name);
    assert.match(mistakes[0] ?? "", /do not go with SVC_PKCS11_MODULE/);
  }
});

test("the place of a token's key names it, and the token is not opened for that", () => {
  const source = openKeySource(read(TOKEN).settings, kernel, "/nowhere");
  assert.deepEqual([source.place, source.isLive], ["key seal on PKCS#11 token svc", true]);
  source.close();
});

test("a signing key is Ed25519, in PKCS#8 PEM or as the whole of a seed", async () => {
  const other = generateKeyPairSync("x25519").privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  const seed = seedOf(PEMS[0]);
  for (const text of ["", "x", other, seed.slice(0, -1), `${seed}x`, `x${seed}`, `${seed}\n${seed}`])
    assert.equal(privateKeyOf(text), null, text);
  assert.throws(() => signerOf(kernel, other, "the.pem"), /^TypeError: the\.pem holds no Ed25519 private key/);

  const byseed = privateKeyOf(seed);
  assert.ok(byseed !== null);
  assert.deepEqual(byseed.export({ format: "jwk" }), createPrivateKey(PEMS[0]).export({ format: "jwk" }));
  assert.equal(first().kid, kidOf(kernel, first().publicKeyHex));
  const key = {
    key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(first().publicKeyHex, "hex").toString("base64url") },
  };
  const message = Buffer.from("message");
  assert.ok(verify(null, message, { ...key, format: "jwk" }, await first().sign(message)));
});

test("keys in files: the successor comes first, is made once, and takes the other's name when it seals", async () => {
  const folder = temporaryFolder();
  const [current, next] = ["signing-key.pem", "signing-key.next.pem"].map((name) => join(folder, name)) as [
    string,
    string,
  ];
  const source = openKeySource({ kind: "file" }, kernel, folder);
  assert.deepEqual([source.place, source.isLive], [`signing-key.pem in ${folder}`, true]);
  assert.deepEqual(await source.keys(), []);

  const made = await source.first();
  assert.deepEqual(readdirSync(folder), ["signing-key.pem"]);
  assert.equal(statSync(current).mode & 0o777, 0o600);
  assert.equal((await source.first()).kid, made.kid, "it is not made again");

  const successor = await source.successor(new Set([made.kid]));
  assert.notEqual(successor.kid, made.kid);
  assert.equal((await source.successor(new Set([made.kid]))).kid, successor.kid, "the same one until it seals");
  assert.deepEqual(
    (await source.keys()).map(({ kid }) => kid),
    [successor.kid, made.kid],
  );

  source.settle(made.kid);
  assert.ok(existsSync(next), "it seals not yet");
  source.settle(successor.kid);
  assert.deepEqual(readdirSync(folder), ["signing-key.pem"]);
  assert.deepEqual(
    (await source.keys()).map(({ kid }) => kid),
    [successor.kid],
  );
  source.settle(made.kid);

  writeFileSync(next, readFileSync(current));
  const known = new Set([made.kid, successor.kid]);
  const another = await source.successor(known);
  assert.ok(!known.has(another.kid), "a key that has sealed follows none");
  source.close();
});

test("a key file that holds no key, or cannot be read, is an error", async () => {
  const folder = temporaryFolder();
  const source = openKeySource({ kind: "file" }, kernel, folder);
  writeFileSync(join(folder, "signing-key.pem"), "no key");
  await assert.rejects(source.keys(), /^TypeError: signing-key\.pem holds no Ed25519/);
  await assert.rejects(source.first(), TypeError);
  mkdirSync(join(folder, "signing-key.next.pem"));
  await assert.rejects(source.keys(), { code: "EISDIR" });
});

test("endorsements are kept beside the keys as they were sealed; a damaged file is an error", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "key-endorsements.json");
  assert.deepEqual(storedEndorsements(folder, kernel), []);
  const one = await issueKeyEndorsement(kernel, first(), second().publicKeyHex, TIME);
  const two = await issueKeyEndorsement(kernel, second(), third().publicKeyHex, TIME);
  keepEndorsements(folder, [one]);
  assert.deepEqual(storedEndorsements(folder, kernel), [one]);
  keepEndorsements(folder, [one, two]);
  assert.deepEqual(storedEndorsements(folder, kernel), [one, two]);
  assert.equal(readFileSync(file, "utf8"), `${JSON.stringify([one, two])}\n`);

  // An equal file is not written again: a restored folder may be read-only.
  const before = statSync(file).ino;
  keepEndorsements(folder, [one, two]);
  assert.equal(statSync(file).ino, before);

  const { seal: _seal, ...open } = one;
  const { payload: _payload, ...event } = loan(1);
  const place = { stream_id: "str_00000000000000000000000001", stream_event_id: "sev_00000000000000000000000001" };
  const receipt = await issueReceipt(
    kernel,
    first(),
    { ...event, occurred_at: TIME, payload: {} },
    {
      ...place,
      seq_no: 1,
      previous_event_hash: ZERO_HASH,
      received_at: TIME,
      payload_salt: "0".repeat(32),
    },
  );
  for (const text of [
    "",
    "{}",
    "null",
    "[1]",
    JSON.stringify([open]),
    JSON.stringify([receipt]),
    `[${"[".repeat(200)}`,
  ]) {
    writeFileSync(file, text);
    assert.throws(
      () => storedEndorsements(folder, kernel),
      /^DataFolderError: .*key-endorsements\.json is damaged/,
      text,
    );
  }
  const elsewhere = temporaryFolder();
  mkdirSync(join(elsewhere, "key-endorsements.json"));
  assert.throws(() => storedEndorsements(elsewhere, kernel), { code: "EISDIR" });
});

test("hashes that earlier releases have stored are found again", () => {
  const stored = "c58467debfb09a1bf09353bca6d1c3decd1ddcb438e184ae581f41bad00d1e47";
  assert.equal(keyedHashUnder(Buffer.alloc(32, 1)).hash("credential", "value"), stored);
});

test("the public routes say that the process answers, and that the database can be written", async (t) => {
  const { client } = await startServer(t);
  assert.deepEqual((await client.get("/health")).body, { status: "ok", version: VERSION });
  const { status, body } = await client.get("/ready");
  assert.deepEqual([status, body], [200, { status: "ready" }]);
});
