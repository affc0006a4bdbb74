/**
 * HMAC-SHA256 under a pepper that is not in the database, for what is stored only to be compared: secrets, requests and
 * where they came from. Without the pepper a copy of the database says nothing about any of them.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";

/** `Purpose`: what a program hashes, by name. */
export class KeyedHash<Purpose extends string> {
  readonly #program: string;
  readonly #pepper: KeyObject;

  /** `program`: whose hashes they are; it keeps those of two programs apart. `pepper`: 32 random bytes. */
  constructor(program: string, pepper: Uint8Array) {
    this.#program = program;
    this.#pepper = createSecretKey(pepper);
  }

  /** 64 lowercase hex characters. `purpose` keeps a hash of one kind from standing for another. */
  hash(purpose: Purpose, value: string | Uint8Array): string {
    return createHmac("sha256", this.#pepper).update(`${this.#program}/${purpose}\n`).update(value).digest("hex");
  }
}

/** Compares two hashes of one length in constant time. */
export function equalHashes(a: string, b: string): boolean {
  const left = Buffer.from(a, "hex");
  const right = Buffer.from(b, "hex");
  return left.length === right.length && timingSafeEqual(left, right);
}
