/**
 * Shows that somebody holds a truth package, by the answer to a challenge over all of its bytes. A hash of the package
 * would not do, since hashes are shown to people who never had it. It does NOT say whether the package verifies.
 */
import { encodeUtf8 } from "../../encoding/utf8.ts";
import type { Hasher, Kernel } from "../../kernel/kernel.ts";

/**
 * Returns a hasher for SHA-256(challenge ‖ package): give it every byte of the package, in order. `challenge`: 32 bytes
 * as 64 lowercase hex characters, which are hashed as text; not checked. The lowercase hex of the digest is the proof.
 * Throws nothing, and does not verify the package.
 *
 * @example
 * const hasher = possessionHasher(selectKernel(), "5".repeat(64));
 * hasher.update(pack);
 * console.log(hasher.digest().length); // 32
 */
export function possessionHasher(kernel: Pick<Kernel, "hasher">, challenge: string): Hasher {
  const hasher = kernel.hasher();
  hasher.update(encodeUtf8(challenge));
  return hasher;
}
