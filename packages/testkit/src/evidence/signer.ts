/** Deterministic signing keys for tests: the seed is the SHA-256 of a label, so the keys are secret to nobody. */
import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import type { PublicKeyHex, Signer } from "@svc/core";

const PKCS8_ED25519 = Buffer.from("302e020100300506032b657004220420", "hex");

/** Returns the private key of a label: the seed, 32 bytes. */
export function testSeed(label: string): Buffer {
  return createHash("sha256").update(`svc test key ${label}`).digest();
}

/** Returns the signer of a label. */
export function testSigner(label: string): Signer {
  const key = Buffer.concat([PKCS8_ED25519, testSeed(label)]);
  const privateKey = createPrivateKey({ key, format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  return {
    publicKeyHex: Buffer.from(x, "base64url").toString("hex") as PublicKeyHex,
    sign: (message) => new Uint8Array(sign(null, message, privateKey)),
  };
}
