/** Keys as files: made, shown and used by the built `svc`, and judged by other programs and by core's verification. */
import assert from "node:assert/strict";
import { createHash, createPrivateKey, createPublicKey } from "node:crypto";
import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseVerificationKey, pinKeys, referenceKernel, verify } from "@svc/core";
import { FOLDER, KEY, put, svc } from "./svc.ts";

const inFolder = (name: string) => join(FOLDER, name);
const said = ({ stderr }: { stderr: string }) => stderr.trim().replace(/\n {5}/g, " ");

async function generated(name: string): Promise<{ kid: string; fingerprint: string; public_key_hex: string }> {
  assert.equal((await svc(["keys", "generate", "--out", name])).code, 0);
  return JSON.parse((await svc(["keys", "show", "--key", name, "--json"])).stdout);
}

test("a generated key is PKCS#8 PEM of Ed25519 that its owner alone may read", async () => {
  const outcome = await svc(["keys", "generate", "--out", "new.pem"]);
  assert.deepEqual([outcome.code, outcome.stderr], [0, ""]);
  assert.equal(statSync(inFolder("new.pem")).mode & 0o777, 0o600);
  const key = createPrivateKey(readFileSync(inFolder("new.pem"), "utf8"));
  assert.equal(key.asymmetricKeyType, "ed25519");
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  const hex = Buffer.from(x, "base64url").toString("hex");
  assert.ok(outcome.stdout.includes(hex));
  assert.ok(!outcome.stdout.includes("PRIVATE"));
});

test("a key is never overwritten", async () => {
  await svc(["keys", "generate", "--out", "kept.pem"]);
  const before = readFileSync(inFolder("kept.pem"), "utf8");
  const outcome = await svc(["keys", "generate", "--out", "kept.pem"]);
  assert.equal(outcome.code, 64);
  assert.equal(outcome.stdout, "");
  assert.match(said(outcome), /"kept\.pem" is there already.*Give another name/);
  assert.equal(readFileSync(inFolder("kept.pem"), "utf8"), before);
});

test("a key without a place is not made", async () => {
  const outcome = await svc(["keys", "generate", "--out", "none/new.pem"]);
  assert.equal(outcome.code, 70);
  assert.match(said(outcome), /"none\/new\.pem" could not be written: the system says ENOENT/);
});

test("show gives every form of a key, and the same from the private and the public file", async () => {
  await svc(["keys", "generate", "--out", "shown.pem"]);
  const shown = await svc(["keys", "show", "--key", "shown.pem", "--name", "acme.example/log", "--json"]);
  const forms = JSON.parse(shown.stdout);
  const fingerprint = createHash("sha256").update(Buffer.from(forms.public_key_hex, "hex")).digest("hex");
  assert.equal(forms.fingerprint, fingerprint);
  assert.equal(forms.kid, `ed25519-${fingerprint.slice(0, 16)}`);
  const byNode = createPublicKey(forms.public_key_pem).export({ format: "jwk" });
  assert.equal(Buffer.from(byNode.x ?? "", "base64url").toString("hex"), forms.public_key_hex);
  for (const [text, type] of [
    [forms.vkey, 1],
    [forms.witness_vkey, 4],
  ]) {
    const read = parseVerificationKey(referenceKernel, text);
    assert.ok(read.ok);
    assert.deepEqual(
      [read.key.name, read.key.type, read.key.publicKeyHex],
      ["acme.example/log", type, forms.public_key_hex],
    );
  }
  put("shown.pub", forms.public_key_pem);
  const fromPublic = await svc(["keys", "show", "--key", "shown.pub", "--name", "acme.example/log", "--json"]);
  assert.equal(fromPublic.stdout, shown.stdout);
  const page = await svc(["keys", "show", "--key", "-"], { stdin: forms.public_key_pem });
  const lines = page.stdout.split("\n");
  assert.equal(lines[1]?.slice(13), fingerprint.slice(0, 32).replace(/(.{4})(?=.)/g, "$1 "));
  assert.equal(lines[2]?.trim(), fingerprint.slice(32).replace(/(.{4})(?=.)/g, "$1 "));
});

test("a private key that others may read is refused", async () => {
  await svc(["keys", "generate", "--out", "open.pem"]);
  for (const mode of [0o640, 0o604, 0o602]) {
    chmodSync(inFolder("open.pem"), mode);
    for (const args of [
      ["keys", "show", "--key", "open.pem"],
      ["keys", "endorse", "--key", "open.pem", "--public-key-hex", KEY],
    ]) {
      const outcome = await svc(args);
      assert.equal(outcome.code, 66);
      assert.equal(outcome.stdout, "");
      assert.match(said(outcome), new RegExp(`mode ${mode.toString(8)}\\)\\. .*chmod 600 open\\.pem`));
    }
  }
});

test("what is no Ed25519 key is refused and never quoted", async () => {
  put("rubbish.pem", "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n");
  chmodSync(inFolder("rubbish.pem"), 0o600);
  const outcome = await svc(["keys", "show", "--key", "rubbish.pem"]);
  assert.equal(outcome.code, 64);
  assert.match(said(outcome), /holds no Ed25519 key/);
  assert.ok(!outcome.stderr.includes("c2Vj"));
  const name = await svc(["keys", "generate", "--out", "named.pem", "--name", "acme log"]);
  assert.equal(name.code, 64);
  assert.match(said(name), /no name of a key as signed notes have it/);
  assert.equal((await svc(["keys", "show", "--key", "named.pem"])).code, 66);
});

test("an endorsement by an old key verifies under it, and under no other", async () => {
  const old = await generated("old.pem");
  const next = await generated("next.pem");
  const args = ["keys", "endorse", "--key", "old.pem", "--public-key-hex", next.public_key_hex];
  const outcome = await svc([...args, "--valid-from", "2026-03-01T00:00:00.000Z", "--out", "rotation.json"]);
  assert.deepEqual([outcome.code, outcome.stdout, outcome.stderr], [0, "", ""]);
  const bytes = readFileSync(inFolder("rotation.json"));
  const { endorsed_kid, valid_from, seal } = JSON.parse(bytes.toString());
  assert.deepEqual([endorsed_kid, valid_from, seal.kid], [next.kid, "2026-03-01T00:00:00.000Z", old.kid]);
  const under = (key: string) => verify(bytes, { trust: pinKeys(referenceKernel, [key as never]), kind: "key" });
  assert.equal(under(old.public_key_hex).verdict, "verified");
  assert.equal(under(next.public_key_hex).verdict, "untrusted");
  const again = await svc([...args, "--out", "rotation.json"]);
  assert.equal(again.code, 64);
  assert.deepEqual(readFileSync(inFolder("rotation.json")), bytes);
});

test("an endorsement on standard output counts from now", async () => {
  const old = await generated("now.pem");
  const before = new Date().toISOString();
  const outcome = await svc(["keys", "endorse", "--key", "now.pem", "--public-key-hex", KEY]);
  const { valid_from } = JSON.parse(outcome.stdout);
  assert.ok(before <= valid_from && valid_from <= new Date().toISOString());
  const trust = pinKeys(referenceKernel, [old.public_key_hex as never]);
  assert.equal(verify(Buffer.from(outcome.stdout), { trust }).verdict, "verified");
});

test("an endorsement that would say nothing is not made", async () => {
  const old = await generated("same.pem");
  const forms = await svc(["keys", "show", "--key", "same.pem", "--json"]);
  put("same.pub", JSON.parse(forms.stdout).public_key_pem);
  const endorse = (...args: string[]) => svc(["keys", "endorse", ...args]);
  const own = await endorse("--key", "same.pem", "--public-key-hex", old.public_key_hex);
  assert.deepEqual([own.code, said(own)], [64, "svc: The new key is the old one. Give the public key of the new one."]);
  const byPublic = await endorse("--key", "same.pub", "--public-key-hex", KEY);
  assert.equal(byPublic.code, 64);
  assert.match(said(byPublic), /holds a public key, and signing takes the private one/);
  const never = await endorse("--key", "same.pem", "--public-key-hex", KEY, "--valid-from", "2026-02-30T00:00:00.000Z");
  assert.equal(never.code, 64);
  assert.match(said(never), /--valid-from: this is no time/);
});
