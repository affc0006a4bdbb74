/** A verifier that checks signatures with node:crypto: cofactorless, and with OpenSSL's own rules for odd encodings. */
import { createPublicKey, verify } from "node:crypto";
import type { SignatureItem } from "@svc/core";
import { honest, type Lie } from "./lie.ts";

/** The bytes before a raw Ed25519 key in its SPKI form (RFC 8410). */
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

export const COFACTORLESS: Lie = {
  name: "cofactorless-ed25519",
  does: "checks signatures as node:crypto does, without the cofactor",
  concerns: ({ name }) => name.includes("ed25519"),
  tell: (kernel) => honest({ ...kernel, verifyEd25519: (items) => items.map(isSigned) }),
};

function isSigned({ publicKey, message, signature }: SignatureItem): boolean {
  try {
    const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: "der", type: "spki" });
    return verify(null, message, key, signature);
  } catch {
    // OpenSSL refuses a key of another length.
    return false;
  }
}
