/** The keyed hash of the server, under the pepper of its data folder: what it hashes, by name. */
import { KeyedHash } from "@svc/host/keyed-hash";

/** What the server stores only to compare it. */
export type HashPurpose = "credential" | "request" | "pepper" | "ticket" | "etag" | "address" | "user-agent";

export type ServerKeyedHash = KeyedHash<HashPurpose>;

/** `pepper`: 32 random bytes. The name of the program stands in every hash, and never changes. */
export function keyedHashUnder(pepper: Uint8Array): ServerKeyedHash {
  return new KeyedHash("svc-server", pepper);
}
