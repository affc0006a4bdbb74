/**
 * An Ed25519 key in a PKCS#8 PEM file, as core's Signer. The private key stays inside node:crypto; no error names it.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { type Kernel, type Kid, kidOf, type PublicKeyHex, type Signer } from "@svc/core";
import { signOnThread } from "./signing-threads.ts";

export type KidSigner = Signer & { readonly kid: Kid };

/** A new private key as PKCS#8 PEM. */
export function newSigningKeyPem(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }) as string;
}

/** The signer of a PEM text. Throws TypeError where it holds no Ed25519 private key. */
export function signerOf(kernel: Kernel, pem: string, fileName: string): KidSigner {
  const key = readKey(pem, fileName);
  const jwk = createPublicKey(key).export({ format: "jwk" });
  const publicKeyHex = Buffer.from(jwk.x ?? "", "base64url").toString("hex") as PublicKeyHex;
  return { publicKeyHex, kid: kidOf(kernel, publicKeyHex), sign: (message) => signOnThread(key, message) };
}

function readKey(pem: string, fileName: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // The parser's own error may quote the file; ours must not.
  }
  throw new TypeError(`${fileName} holds no Ed25519 private key in PKCS#8 PEM form. Put the original file back.`);
}
