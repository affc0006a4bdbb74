/**
 * The stored form of the answer to a package's challenge: its hash. A reader of the database, or of the events about
 * the package, can check an answer with it but cannot give one.
 */
import { encodeHex, type HashHex, type Kernel } from "@svc/core";

/** Returns SHA-256 over the 64 characters of a proof, as hex. */
export function hashOfProof(kernel: Kernel, proof: string): HashHex {
  return encodeHex(kernel.sha256(Buffer.from(proof, "ascii"))) as HashHex;
}
