/**
 * The keyed hash of the server, under the pepper of its data folder, and the names of its purposes. After a rotation of
 * the pepper (pepper/) stored values can still be under the one before it.
 */
import { equalHashes, KeyedHash } from "@svc/host/keyed-hash";

/** The kinds of values that the server stores only to compare them. */
export type HashPurpose = "credential" | "request" | "pepper" | "ticket" | "etag" | "address" | "user-agent";

/** Hashes under the pepper of now, under which everything is stored; and under the one before it, to find the rest. */
export class ServerKeyedHash extends KeyedHash<HashPurpose> {
  /** The hashes under the pepper before; null where nothing can be stored under another one. */
  readonly earlier: KeyedHash<HashPurpose> | null;
  /** The hash by which the database knows the pepper of now. */
  readonly pepperMac: string;

  /** Each pepper: 32 random bytes. The name of the program is in every hash, and must never change. */
  constructor(pepper: Uint8Array, earlier: Uint8Array | null) {
    super("svc-server", pepper);
    this.earlier = earlier === null ? null : new KeyedHash("svc-server", earlier);
    this.pepperMac = this.hash("pepper", "");
  }

  /** Returns each hash under which a value can be stored, the one of now first. */
  hashes(purpose: HashPurpose, value: string): readonly string[] {
    const now = this.hash(purpose, value);
    return this.earlier === null ? [now] : [now, this.earlier.hash(purpose, value)];
  }
}

/** Returns the keyed hash under a pepper. */
export function keyedHashUnder(pepper: Uint8Array, earlier: Uint8Array | null = null): ServerKeyedHash {
  return new ServerKeyedHash(pepper, earlier);
}

/**
 * Returns the keyed hash under that pepper of a folder that a database knows by its hash; null if it knows neither.
 * `pepper` is the one before, wherever the next one is that of now.
 */
export function keyedHashOf(
  { pepper, nextPepper }: { readonly pepper: Uint8Array; readonly nextPepper: Uint8Array | null },
  pepperMac: string,
): ServerKeyedHash | null {
  const candidates = [keyedHashUnder(pepper), ...(nextPepper === null ? [] : [keyedHashUnder(nextPepper, pepper)])];
  return candidates.find((candidate) => equalHashes(pepperMac, candidate.pepperMac)) ?? null;
}
