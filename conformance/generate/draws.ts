/** Numbers and bytes that look like chance and are the same each time: SHA-256 of a label and a counter. */
import { createHash } from "node:crypto";

const SEED = "svc conformance cases 1";

/** A sequence of draws under a label. Two labels share nothing, so that a new family changes no other one. */
export class Draws {
  readonly #label: string;
  #count = 0;

  constructor(label: string) {
    this.#label = label;
  }

  /** Returns an integer of 0 to n-1, for n up to 2^32. */
  below(n: number): number {
    return this.#next().readUInt32BE(0) % n;
  }

  /** Returns one element of a list. */
  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  /** Returns so many bytes. */
  bytes(length: number): Uint8Array {
    const parts: Buffer[] = [];
    for (let have = 0; have < length; have += 32) parts.push(this.#next());
    return new Uint8Array(Buffer.concat(parts).subarray(0, length));
  }

  /** Returns an integer of 0 to n-1, for any n. */
  bigBelow(n: bigint): bigint {
    return BigInt(`0x${Buffer.from(this.bytes(40)).toString("hex")}`) % n;
  }

  #next(): Buffer {
    return createHash("sha256")
      .update(`${SEED}/${this.#label}/${this.#count++}`)
      .digest();
  }
}
