/** The keyed hash of the server, under the pepper of its data folder, and the names of its purposes. */
import { KeyedHash } from "@svc/host/keyed-hash";

/** The kinds of values that the server stores only to compare them. */
export type HashPurpose = "credential" | "request" | "pepper" | "ticket" | "etag" | "address" | "user-agent";

/** The keyed hash of the server. */
export type ServerKeyedHash = KeyedHash<HashPurpose>;

/**
 * Returns the keyed hash. `pepper`: 32 random bytes. The name of the program is in every hash, and must never change.
 */
export function keyedHashUnder(pepper: Uint8Array): ServerKeyedHash {
  return new KeyedHash("svc-server", pepper);
}
