/**
 * HMAC-SHA256 under the data folder's pepper, for what is stored only to be compared: secrets, requests and where they came from. Without the pepper
 * file a copy of the database says nothing about either.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";

export class KeyedHash {
  readonly #pepper: KeyObject;

  /** `pepper`: 32 random bytes. */
  constructor(pepper: Uint8Array) {
    this.#pepper = createSecretKey(pepper);
  }

  /** 64 lowercase hex characters. `purpose` keeps a hash of one kind from standing for another. */
  hash(
    purpose: "credential" | "request" | "pepper" | "ticket" | "etag" | "address" | "user-agent",
    value: string | Uint8Array,
  ): string {
    return createHmac("sha256", this.#pepper).update(`svc-server/${purpose}\n`).update(value).digest("hex");
  }
}

/** Compares two hashes of one length in constant time. */
export function equalHashes(a: string, b: string): boolean {
  const left = Buffer.from(a, "hex");
  const right = Buffer.from(b, "hex");
  return left.length === right.length && timingSafeEqual(left, right);
}
