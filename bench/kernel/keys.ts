/** Ed25519 keys from a seed, made with node:crypto. */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import type { Random } from "./random.ts";

/** The bytes before the 32 bytes of a private key in PKCS #8. */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

/** A key pair. */
export interface BenchKey {
  /** The key for crypto.verify. */
  readonly publicKeyObject: KeyObject;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Returns the 64-byte signature of a message. */
  sign(message: Uint8Array): Uint8Array;
}

/** Returns the next key of a stream. */
export function makeKey(random: Random): BenchKey {
  const der = Buffer.concat([PKCS8, random.bytes(32)]);
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const publicKeyObject = createPublicKey(privateKey);
  const publicKey = publicKeyObject.export({ format: "der", type: "spki" }).subarray(-32);
  return { publicKeyObject, publicKey, sign: (message) => sign(null, message, privateKey) };
}
