/** `svc keys show` in Go says of every key file what the npm `svc` says, and quotes none. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FOLDER, goSvc, npmSvc, put } from "./command.ts";
import { goTest } from "./toolchain.ts";

const PRIVATE = { type: "pkcs8", format: "pem" } as const;
const PUBLIC = { type: "spki", format: "pem" } as const;

/** Writes a key file that its owner alone may read, unless it says otherwise. */
function key(name: string, pem: string, mode = 0o600): string {
  put(name, pem);
  chmodSync(join(FOLDER, name), mode);
  return name;
}

goTest(
  "keys show gives the forms of a private and of a public key, and refuses all else, as the npm svc does",
  async () => {
    assert.equal((await npmSvc("keys", "generate", "--out", "made.pem")).code, 0);
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const pem = `${privateKey.export(PRIVATE)}`;
    const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const locked = { ...PRIVATE, cipher: "aes-256-cbc", passphrase: "secret" };
    const files: readonly (readonly [code: number, file: string])[] = [
      [0, "made.pem"],
      [0, key("own.pem", pem)],
      [0, key("own.pub", `${publicKey.export(PUBLIC)}`, 0o644)],
      [0, key("crlf.pem", pem.replaceAll("\n", "\r\n"))],
      [0, key("said.pem", `the key of acme\n${pem}`)],
      [66, key("open.pem", pem, 0o640)],
      [66, key("write.pem", pem, 0o602)],
      [64, key("cut.pem", pem.replace("MC4C", "MC4"))],
      [64, key("rubbish.pem", "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n")],
      [64, key("p256.pem", `${other.privateKey.export(PRIVATE)}`)],
      [64, key("p256.pub", `${other.publicKey.export(PUBLIC)}`)],
      [64, key("locked.pem", `${privateKey.export(locked)}`)],
      [64, key("hex.pem", "7a".repeat(32))],
      [64, key("empty.pem", "")],
      [66, key("long.pem", "x".repeat(20_000))],
      [66, "none.pem"],
    ];
    for (const [code, file] of files)
      for (const more of code === 0
        ? [[], ["--json"], ["--name", "acme.example/log&co"], ["--name", "acme log"]]
        : [[]]) {
        const expected = await npmSvc("keys", "show", "--key", file, ...more);
        assert.deepEqual(await goSvc("keys", "show", "--key", file, ...more), expected, `${file} ${more}`);
        assert.equal(expected.code, more[1] === "acme log" ? 64 : code, file);
        const secret = code === 66 ? "" : (readFileSync(join(FOLDER, file), "utf8").split("\n")[1] ?? "");
        if (file.endsWith(".pem") && secret.length > 8) assert.ok(!JSON.stringify(expected).includes(secret));
      }
  },
);

goTest("what the npm svc alone does with keys is refused with where it is", async () => {
  for (const command of ["generate", "endorse", "revocation-verify"]) {
    const { stdout, stderr, code } = await goSvc("keys", command, "--out", "never.pem");
    assert.deepEqual([stdout, code], ["", 64]);
    assert.match(
      stderr,
      new RegExp(`^svc: This svc, a single file, has no command keys ${command}; the npm svc\\s+has it\\.`),
    );
  }
  for (const words of [
    ["trust", "pin-from", "https://evidence.example"],
    ["trust", "pin-block", "--network", "eip155:1", "--number", "1", "--rpc", "http://127.0.0.1:9"],
  ]) {
    const { stdout, stderr, code } = await goSvc(...words, "--trust", "never.json");
    assert.deepEqual([stdout, code], ["", 64]);
    assert.match(stderr, /the npm svc\s+has/);
  }
});
