/**
 * HMAC-SHA256 under a pepper that is not in the database, for values that are stored only to be compared: secrets,
 * requests and their addresses. A copy of the database without the pepper says nothing about any of them.
 */
import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from "node:crypto";

/** The bytes of a block of SHA-256, and of a hash. */
const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
const [INNER, OUTER] = [0x36, 0x5c];
/** A value of so many bytes is not copied behind the pepper. */
const LARGE_BYTES = 16_384;

/** Hashes under one pepper. `Purpose`: the names of the values that a program hashes. */
export class KeyedHash<Purpose extends string> {
  readonly #program: string;
  readonly #pepper: KeyObject;
  readonly #inner: Buffer;
  readonly #outer: Buffer;

  /** `program`: the name of the program, which keeps the hashes of two programs apart. `pepper`: 32 random bytes. */
  constructor(program: string, pepper: Uint8Array) {
    this.#program = program;
    this.#pepper = createSecretKey(pepper);
    this.#inner = padded(this.#pepper, INNER);
    this.#outer = padded(this.#pepper, OUTER);
  }

  /**
   * Returns 64 lowercase hex characters. `purpose` keeps a hash of one kind from being taken for another.
   *
   * It is HMAC of RFC 2104, made of two hashes: an object that takes its input in parts costs six times as much as
   * both, and each request needs one.
   */
  hash(purpose: Purpose, value: string | Uint8Array): string {
    const prefix = `${this.#program}/${purpose}\n`;
    if (value.length > LARGE_BYTES)
      return createHmac("sha256", this.#pepper).update(prefix).update(value).digest("hex");
    const bytes = typeof value === "string" ? Buffer.from(value) : value;
    const inner = hash("sha256", Buffer.concat([this.#inner, Buffer.from(prefix), bytes]), "buffer");
    return hash("sha256", Buffer.concat([this.#outer, inner], BLOCK_BYTES + HASH_BYTES), "hex");
  }
}

/** Returns the key of an HMAC as the block that goes before what is hashed. */
function padded(key: KeyObject, pad: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES, pad);
  for (const [index, byte] of key.export().entries()) block[index] = byte ^ pad;
  return block;
}

/** Compares two hashes of one length, in hex, in constant time. Returns false for different lengths. */
export function equalHashes(a: string, b: string): boolean {
  const left = Buffer.from(a, "hex");
  const right = Buffer.from(b, "hex");
  return left.length === right.length && timingSafeEqual(left, right);
}
