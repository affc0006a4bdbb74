/**
 * Places of the sealing key besides its file: the environment, and a PKCS#11 token; and that it appears nowhere else.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createPrivateKey } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { UsageError } from "@svc/host/settings";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { assertVerified } from "@svc/testkit/server/verified";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";
import { readConfig } from "../../src/settings/config.ts";
import { newSigningKeyPem } from "../../src/signing/file-signer.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";

const MODULE = "/usr/lib/softhsm/libsofthsm2.so";
const PIN = "918273";

function seedOf(pem: string): string {
  const { d = "" } = createPrivateKey(pem).export({ format: "jwk" });
  return Buffer.from(d, "base64url").toString("base64");
}

async function init(folder: string, environment: Record<string, string>) {
  const words = ["init", "--origin", "demo.example", "--data", folder, "--json"];
  const { code, out, err } = await command(words, environment);
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

test("in the environment, as PEM or seed: no file has it, and nothing that the server starts inherits it", async (t) => {
  const folder = join(temporaryFolder(), "data");
  const pem = newSigningKeyPem();
  const seed = seedOf(pem);
  const made = await init(folder, { SVC_SIGNING_KEY: pem });
  assert.ok(!readdirSync(folder).includes("signing-key.pem"));
  const preload = join(temporaryFolder(), "tell.mjs");
  const told = join(temporaryFolder(), "environment.json");
  writeFileSync(
    preload,
    `import { writeFileSync } from "node:fs";
process.on("SIGUSR2", () => writeFileSync(${JSON.stringify(told)}, JSON.stringify(process.env)));`,
  );
  const token = "a-token-of-the-metrics";
  const child = await startChild(t, folder, {
    SVC_SIGNING_KEY: seed,
    SVC_METRICS_TOKEN: token,
    SVC_LOG_LEVEL: "silent",
    NODE_OPTIONS: `--import ${pathToFileURL(preload).href}`,
  });
  const client = new Client(child.url, made.api_key);
  const { text } = await client.append(made.stream_id, loan(1));
  assertVerified(text, made.public_key_hex, "receipt");
  void child.end("SIGUSR2");
  const seen = await until("the environment is written", async () =>
    existsSync(told) ? readFileSync(told, "utf8") : null,
  );
  assert.ok(!seen.includes(seed) && !seen.includes("SVC_SIGNING_KEY") && !seen.includes(token));
  const metrics = await client.get("/metrics", { authorization: `Bearer ${token}` });
  assert.ok(metrics.status === 200 && !metrics.text.includes(seed));

  const without = await command(["start", "--port", "0", "--data", folder]);
  assert.equal(without.code, 1);
  const other = await command(["keys", "list", "--data", folder], { SVC_SIGNING_KEY: "no key at all" });
  assert.deepEqual([other.code, other.err.includes("no key at all")], [64, false]);
});

test("a key in the environment is rotated while the server is stopped, and only then", async (t) => {
  const folder = join(temporaryFolder(), "data");
  const [old, next] = [newSigningKeyPem(), newSigningKeyPem()];
  const made = await init(folder, { SVC_SIGNING_KEY: old });
  const server = await startChild(t, folder, { SVC_SIGNING_KEY: old });
  const words = ["keys", "rotate-signing", "--data", folder, "--json"];
  const both = { SVC_SIGNING_KEY: old, SVC_NEXT_SIGNING_KEY: next };
  const refused = await command(words, both);
  assert.match(refused.err, /Another svc-server serves/);
  assert.equal(await server.end("SIGINT"), 0);
  assert.match((await command(words, { SVC_SIGNING_KEY: old })).err, /SVC_NEXT_SIGNING_KEY/);
  const { code, out, err } = await command(words, both);
  assert.equal(code, 0, err);
  const { kid } = JSON.parse(out);
  assert.equal((await command(["start", "--port", "0", "--data", folder], { SVC_SIGNING_KEY: old })).code, 1);
  const second = await startChild(t, folder, { SVC_SIGNING_KEY: next });
  const { body } = await new Client(second.url, made.api_key).append(made.stream_id, loan(1));
  assert.equal(body.receipt.kid, kid);
});

test("what is wrong with the settings is said at once, and no key is repeated", () => {
  const seed = seedOf(newSigningKeyPem());
  const settings = {
    SVC_SIGNING_KEY: seed,
    SVC_NEXT_SIGNING_KEY: `${seed}x`,
    SVC_PKCS11_MODULE: MODULE,
    SVC_PKCS11_TOKEN: "svc",
  };
  assert.throws(
    () => readConfig(THIN_SERVER, settings),
    (error) =>
      error instanceof UsageError &&
      /SVC_NEXT_SIGNING_KEY is no Ed25519/.test(error.message) &&
      /Set SVC_PKCS11_KEY, SVC_PKCS11_PIN_FILE too/.test(error.message) &&
      /do not go with SVC_PKCS11_MODULE/.test(error.message) &&
      !error.message.includes(seed),
  );
  assert.throws(() => readConfig(THIN_SERVER, { SVC_NEXT_SIGNING_KEY: seed }), /follows a key in SVC_SIGNING_KEY/);
});

/** Returns why a token cannot be tried here; false if it can. */
function missing(): string | false {
  if (!existsSync(MODULE)) return "SoftHSM is not installed: keys on a PKCS#11 token are NOT TESTED";
  try {
    createRequire(import.meta.url)("pkcs11js");
    execFileSync("sh", ["-c", "command -v pkcs11-tool"], { stdio: "ignore" });
    return false;
  } catch {
    return (
      "pkcs11js (node tools/install-tools.mjs token) or pkcs11-tool is missing: keys on a PKCS#11 token are NOT " +
      "TESTED"
    );
  }
}

test("on a PKCS#11 token: the key is made there, seals, and is rotated beside a running server", {
  skip: missing(),
}, async (t) => {
  const home = temporaryFolder();
  mkdirSync(join(home, "tokens"));
  const configuration = join(home, "softhsm2.conf");
  writeFileSync(configuration, `directories.tokendir = ${join(home, "tokens")}\nobjectstore.backend = file\n`);
  writeFileSync(join(home, "pin"), `${PIN}\n`, { mode: 0o600 });
  const softhsm = { ...process.env, SOFTHSM2_CONF: configuration };
  const tool = (program: string, ...words: string[]) => execFileSync(program, words, { env: softhsm, stdio: "pipe" });
  tool("softhsm2-util", "--init-token", "--free", "--label", "svc", "--pin", PIN, "--so-pin", "12345678");
  const newPair = (id: string) => {
    const where = ["--module", MODULE, "--token-label", "svc", "--login", "--pin", PIN];
    tool("pkcs11-tool", ...where, "--keypairgen", "--key-type", "EC:edwards25519", "--label", "seal", "--id", id);
  };
  const environment = {
    SOFTHSM2_CONF: configuration,
    SVC_PKCS11_MODULE: MODULE,
    SVC_PKCS11_TOKEN: "svc",
    SVC_PKCS11_KEY: "seal",
    SVC_PKCS11_PIN_FILE: join(home, "pin"),
  };
  const folder = join(home, "data");
  const early = await command(["init", "--origin", "demo.example", "--data", folder], environment);
  assert.match(early.err, /has 0 Ed25519 key pairs labelled seal.*pkcs11-tool/);
  newPair("01");
  const made = await init(folder, environment);
  assert.ok(!readdirSync(folder).includes("signing-key.pem"));
  const server = await startChild(t, folder, environment);
  const client = new Client(server.url, made.api_key);
  const many = Array.from({ length: 40 }, (_, index) => client.append(made.stream_id, loan(index), `event-${index}`));
  for (const { text } of await Promise.all(many)) assertVerified(text, made.public_key_hex, "receipt");
  const words = ["keys", "rotate-signing", "--data", folder, "--json"];
  assert.match((await command(words, environment)).err, /has 0 Ed25519 key pairs labelled seal that have never sealed/);
  newPair("02");
  const { code, out, err } = await command(words, environment);
  assert.equal(code, 0, err);
  const { body, text } = await client.append(made.stream_id, loan(1), "after-the-rotation");
  assert.equal(body.receipt.kid, JSON.parse(out).kid);
  assertVerified(text, JSON.parse(out).public_key_hex, "receipt");
  await client.witnessed(made.stream_id, 41);
  const pack = await client.post("/v2/audit/packs", { stream_id: made.stream_id, from_seq_no: 1, to_seq_no: 41 });
  assertVerified(pack.text, made.public_key_hex, "bundle");
  assert.equal(await server.end("SIGINT"), 0);

  writeFileSync(join(home, "pin"), "000000", { mode: 0o600 });
  const wrong = await command(["start", "--port", "0", "--data", folder], environment);
  // systemd does not try it again: a token locks itself after a few attempts.
  assert.equal(wrong.code, 64);
  assert.match(wrong.err, /cannot be used.*CKR_PIN_INCORRECT.*Check/);
  assert.ok(!wrong.err.includes("000000"));
  rmSync(join(home, "pin"));
  const missing = await command(["start", "--port", "0", "--data", folder], environment);
  assert.equal(missing.code, 64);
  assert.match(missing.err, /SVC_PKCS11_PIN_FILE names .*cannot be read \(ENOENT\)/);
});
