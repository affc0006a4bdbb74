/**
 * An Ed25519 key in the memory of this process, as core's Signer: from a PKCS#8 PEM text, such as a file's, or from its
 * 32-byte seed. The private key stays inside node:crypto; no error names it.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { type Kernel, type Kid, kidOf, type PublicKeyHex, type Signer } from "@svc/core";
import { signListOnThreads, signOnThread } from "./signing-threads.ts";

/** A signer with the identifier of its key. */
export type KidSigner = Signer & {
  readonly kid: Kid;
  /** Resolves to the signatures of messages, in their order; together they take less time than one by one. */
  readonly signAll: (messages: readonly Uint8Array[]) => Promise<Uint8Array[]>;
};

/** The bytes before the 32-byte seed in the PKCS#8 form of an Ed25519 key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
const SEED = /^[A-Za-z0-9+/]{43}=$/;

/** Returns a new private key as PKCS#8 PEM. */
export function newSigningKeyPem(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }) as string;
}

/**
 * Returns the signer of a PEM text. Throws TypeError if it holds no Ed25519 private key. `fileName`: for the message.
 */
export function signerOf(kernel: Kernel, pem: string, fileName: string): KidSigner {
  const key = privateKeyOf(pem);
  if (key === null)
    throw new TypeError(`${fileName} holds no Ed25519 private key in PKCS#8 PEM form. Put the original file back.`);
  return signerOfKey(kernel, key);
}

/**
 * Returns the private key of a PKCS#8 PEM text, or of a seed in base64 (44 characters); null if the text is neither.
 */
export function privateKeyOf(text: string): KeyObject | null {
  try {
    const key = SEED.test(text)
      ? createPrivateKey({
          key: Buffer.concat([PKCS8_PREFIX, Buffer.from(text, "base64")]),
          format: "der",
          type: "pkcs8",
        })
      : createPrivateKey(text);
    return key.asymmetricKeyType === "ed25519" ? key : null;
  } catch {
    // The parser's own error may quote the text; ours must not.
    return null;
  }
}

/** Returns the signer of an Ed25519 private key. */
export function signerOfKey(kernel: Kernel, key: KeyObject): KidSigner {
  const jwk = createPublicKey(key).export({ format: "jwk" });
  const publicKeyHex = Buffer.from(jwk.x ?? "", "base64url").toString("hex") as PublicKeyHex;
  return {
    publicKeyHex,
    kid: kidOf(kernel, publicKeyHex),
    sign: (message) => signOnThread(key, message),
    signAll: (messages) => signListOnThreads(key, messages),
  };
}
