/** The witness's private key: one Ed25519 key in PKCS#8 PEM, in a file that only its owner reads. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { encodeHex, type PublicKeyHex } from "@svc/core";
import { replaceFile } from "@svc/host/durable-file";
import { WitnessError } from "../witness-error.ts";

/** The length of a raw Ed25519 key, which ends its SPKI form. */
const RAW_BYTES = 32;

/** A key that signs. */
export interface WitnessKey {
  readonly publicKeyHex: PublicKeyHex;
  /** Returns the 64-byte RFC 8032 signature of a message. */
  sign(message: Uint8Array): Uint8Array;
}

/** Returns the path of the key file in the folder of keys. */
export function keyFile(keysFolder: string): string {
  return join(keysFolder, "witness.key");
}

/** Makes a key, writes it durably, and returns it. Throws WitnessError if there is one. */
export function makeKey(keysFolder: string): WitnessKey {
  const file = keyFile(keysFolder);
  if (existsSync(file)) throw new WitnessError(`There is a key in ${file} already; it is not replaced.`);
  const { privateKey } = generateKeyPairSync("ed25519");
  replaceFile(file, privateKey.export({ type: "pkcs8", format: "pem" }));
  return keyOf(privateKey);
}

/** Reads the key. Throws WitnessError if it is missing, or is no Ed25519 key. */
export function readKey(keysFolder: string): WitnessKey {
  const file = keyFile(keysFolder);
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(readFileSync(file));
  } catch (error) {
    throw new WitnessError(
      `The key ${file} cannot be read: ${(error as Error).message}. Put the original back, or make a new witness with init.`,
      { cause: error },
    );
  }
  if (privateKey.asymmetricKeyType !== "ed25519") throw new WitnessError(`The key ${file} is no Ed25519 key.`);
  return keyOf(privateKey);
}

function keyOf(privateKey: KeyObject): WitnessKey {
  const spki = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  return {
    publicKeyHex: encodeHex(spki.subarray(-RAW_BYTES)) as PublicKeyHex,
    sign: (message) => sign(null, message, privateKey),
  };
}
