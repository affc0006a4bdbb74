/**
 * What is kept of the answer to a package's challenge: its hash, so that whoever reads the database or the events about the package can check an
 * answer and cannot give one.
 */
import { encodeHex, type HashHex, type Kernel } from "@svc/core";

/** SHA-256 over the 64 characters of a proof, as hex. */
export function hashOfProof(kernel: Kernel, proof: string): HashHex {
  return encodeHex(kernel.sha256(Buffer.from(proof, "ascii"))) as HashHex;
}
