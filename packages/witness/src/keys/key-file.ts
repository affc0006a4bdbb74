/** The witness's private key: one Ed25519 key in PKCS#8 PEM, in a file that only its owner reads. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { encodeHex, type PublicKeyHex } from "@svc/core";
import { replaceFile } from "@svc/host/durable-file";
import { KeyedHash } from "@svc/host/keyed-hash";
import { isThere } from "../is-there.ts";
import { WitnessError } from "../witness-error.ts";

/** The length of a raw Ed25519 key, which ends its SPKI form. */
const RAW_BYTES = 32;

/** The permissions of everybody but the owner. */
const OTHERS = 0o077;

const LOST_KEY =
  "Put the original back. If it is lost for good, retire this witness: make a new one with init, in another " +
  "folder and under another name, and tell the logs its key.";

/** The hashes of a witness's memory, under its key. */
export type MemoryHash = KeyedHash<"tree" | "disowned" | "state">;

/** A key that signs. */
export interface WitnessKey {
  readonly publicKeyHex: PublicKeyHex;
  /** Returns the 64-byte RFC 8032 signature of a message. */
  sign(message: Uint8Array): Uint8Array;
  /** Hashes that nobody can compute without the key, for what the witness must not forget. */
  readonly memory: MemoryHash;
}

/** Returns the path of the key file in the folder of keys. */
export function keyFile(keysFolder: string): string {
  return join(keysFolder, "witness.key");
}

/** Makes a key, writes it durably, and returns it. Throws WitnessError if there is one. */
export function makeKey(keysFolder: string): WitnessKey {
  const file = keyFile(keysFolder);
  if (isThere(file)) throw new WitnessError(`There is a key in ${file} already; it is not replaced.`);
  const { privateKey } = generateKeyPairSync("ed25519");
  replaceFile(file, privateKey.export({ type: "pkcs8", format: "pem" }));
  return keyOf(privateKey);
}

/** Reads the key. Throws WitnessError if it is missing, cannot be read, or is no Ed25519 key. */
export function readKey(keysFolder: string): WitnessKey {
  const file = keyFile(keysFolder);
  if (!isThere(file)) throw new WitnessError(`The key ${file} is missing. ${LOST_KEY}`);
  const privateKey = parseKey(readPem(file));
  if (privateKey?.asymmetricKeyType !== "ed25519")
    throw new WitnessError(`The key ${file} is damaged: it holds no Ed25519 key in PEM. ${LOST_KEY}`);
  return keyOf(privateKey);
}

function readPem(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { message } = error as Error;
    throw new WitnessError(
      `The key ${file} cannot be read: ${message}. It must be a file of the user who runs the witness.`,
      { cause: error },
    );
  }
}

function parseKey(pem: Buffer): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}

/** Returns whether others than the owner of a file may read it, change it or run it. */
export function isOpenToOthers(file: string): boolean {
  return (statSync(file).mode & OTHERS) !== 0;
}

/** Throws WitnessError if others may read the key: with it, they can sign another history. */
export function requireOwnerOnly(keysFolder: string): void {
  const file = keyFile(keysFolder);
  if (!isOpenToOthers(file)) return;
  throw new WitnessError(
    `Others may read the key ${file}: chmod 600 it. If somebody may have copied it, retire this witness: they ` +
      `can sign another history.`,
  );
}

/** Returns 32 bytes that only one who has the key can make, and from which it cannot be made. */
function pepperOf(privateKey: KeyObject): Buffer {
  const der = privateKey.export({ type: "pkcs8", format: "der" });
  return createHash("sha256").update("svc-witness/memory\n").update(der).digest();
}

function keyOf(privateKey: KeyObject): WitnessKey {
  const spki = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  return {
    publicKeyHex: encodeHex(spki.subarray(-RAW_BYTES)) as PublicKeyHex,
    sign: (message) => sign(null, message, privateKey),
    memory: new KeyedHash("svc-witness/memory", pepperOf(privateKey)),
  };
}
