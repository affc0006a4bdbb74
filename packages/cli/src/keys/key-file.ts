/**
 * Ed25519 keys in files: private ones as PKCS#8 PEM that only their owner may read, public ones as SPKI PEM. A private
 * key stays inside node:crypto, and no message quotes a file that may hold one.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { statSync } from "node:fs";
import process from "node:process";
import type { PublicKeyHex, Signer } from "@svc/core";
import { shellWord } from "../evidence-file/shell-word.ts";
import { EXIT, Refusal } from "../exit.ts";
import { readInput } from "../input.ts";

/** No PEM of one key is longer. */
const MAX_KEY_FILE_BYTES = 16 * 1024;
/** Permissions of the group and of others. */
const FOR_OTHERS = 0o077;

/** Returns a new private key as PKCS#8 PEM, and its public key. */
export function newKey(): { readonly pem: string; readonly publicKeyHex: PublicKeyHex } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return { pem: privateKey.export({ type: "pkcs8", format: "pem" }) as string, publicKeyHex: rawHex(publicKey) };
}

/**
 * Resolves to the signer of a private key file. Refuses a file that cannot be read (66), one that others may read (66),
 * and one that holds no such key (64).
 */
export async function openSigner(path: string): Promise<Signer> {
  const key = readKey(path, await readPem(path));
  if (key.type !== "private")
    throw new Refusal(EXIT.usage, `"${path}" holds a public key, and signing takes the private one.`, GIVE_PRIVATE);
  return { publicKeyHex: rawHex(createPublicKey(key)), sign: (message) => new Uint8Array(sign(null, message, key)) };
}

/** Resolves to the public key of a key file, private or public. Refuses as `openSigner` does. */
export async function readPublicKey(path: string): Promise<PublicKeyHex> {
  const key = readKey(path, await readPem(path));
  return rawHex(key.type === "private" ? createPublicKey(key) : key);
}

const GIVE_PRIVATE = 'Give the file that "svc keys generate" wrote.';

async function readPem(path: string): Promise<string> {
  const text = new TextDecoder().decode(await readInput(path, MAX_KEY_FILE_BYTES));
  if (text.includes("PRIVATE KEY")) requirePrivate(path);
  return text;
}

/** Windows has no such bits, and a pipe belongs to its maker. */
function requirePrivate(path: string): void {
  if (path === "-" || process.platform === "win32") return;
  const mode = statSync(path).mode & 0o777;
  if ((mode & FOR_OTHERS) === 0) return;
  throw new Refusal(
    EXIT.input,
    `"${path}" holds a private key, and others than its owner have leave to it (mode ${mode.toString(8)}).`,
    `Somebody may have it already. If you are sure that nobody has: chmod 600 ${shellWord(path)}`,
  );
}

function readKey(path: string, pem: string): KeyObject {
  try {
    const key = pem.includes("PRIVATE KEY") ? createPrivateKey(pem) : createPublicKey(pem);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // The parser's own error may quote the file; ours must not.
  }
  throw new Refusal(EXIT.usage, `"${path}" holds no Ed25519 key in PEM form (PKCS#8 or SPKI).`, GIVE_PRIVATE);
}

function rawHex(publicKey: KeyObject): PublicKeyHex {
  const { x = "" } = publicKey.export({ format: "jwk" });
  return Buffer.from(x, "base64url").toString("hex") as PublicKeyHex;
}
