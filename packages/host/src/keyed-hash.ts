/**
 * HMAC-SHA256 under a pepper that is not in the database, for values that are stored only to be compared: secrets,
 * requests and their addresses. A copy of the database without the pepper says nothing about any of them.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";

/** Hashes under one pepper. `Purpose`: the names of the values that a program hashes. */
export class KeyedHash<Purpose extends string> {
  readonly #program: string;
  readonly #pepper: KeyObject;

  /** `program`: the name of the program, which keeps the hashes of two programs apart. `pepper`: 32 random bytes. */
  constructor(program: string, pepper: Uint8Array) {
    this.#program = program;
    this.#pepper = createSecretKey(pepper);
  }

  /** Returns 64 lowercase hex characters. `purpose` keeps a hash of one kind from being taken for another. */
  hash(purpose: Purpose, value: string | Uint8Array): string {
    return createHmac("sha256", this.#pepper).update(`${this.#program}/${purpose}\n`).update(value).digest("hex");
  }
}

/** Compares two hashes of one length, in hex, in constant time. Returns false for different lengths. */
export function equalHashes(a: string, b: string): boolean {
  const left = Buffer.from(a, "hex");
  const right = Buffer.from(b, "hex");
  return left.length === right.length && timingSafeEqual(left, right);
}
