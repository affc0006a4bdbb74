/** The public keys of the deployment, in the forms in which verifiers pin them. */
import { verificationKey } from "@svc/core";
import type { AnsweringContext } from "../context.ts";
import { keyEndorsements } from "../signing/endorsements-store.ts";
import { type SigningKeyRow, signingKeys } from "../signing/service-store.ts";

/** Reads the public keys for anybody. */
export class ReadKeys {
  readonly #context: Pick<AnsweringContext, "database" | "kernel" | "origin">;

  constructor(context: Pick<AnsweringContext, "database" | "kernel" | "origin">) {
    this.#context = context;
  }

  /** Resolves to the origin, the sealing keys, newest first, and their endorsements. */
  async read() {
    const { database, kernel, origin } = this.#context;
    const { keys, endorsements } = await database.read(async (reader) => ({
      keys: await signingKeys(reader),
      endorsements: await keyEndorsements(reader, kernel),
    }));
    return {
      origin,
      keys: keys.map((key) => ({
        kid: key.kid,
        public_key_hex: key.public_key_hex,
        vkey: verificationKey(kernel, origin, key.public_key_hex),
        status: key.retired_at === null ? "current" : "past",
        valid_from: key.valid_from,
        valid_to: key.retired_at,
        jwk: jwkOf(key),
      })),
      endorsements,
    };
  }
}

/** Returns a key in the form of RFC 8037 and RFC 7517. */
function jwkOf({ kid, public_key_hex }: Pick<SigningKeyRow, "kid" | "public_key_hex">) {
  const x = Buffer.from(public_key_hex, "hex").toString("base64url");
  return { kty: "OKP", crv: "Ed25519", x, kid, use: "sig", alg: "EdDSA" };
}
