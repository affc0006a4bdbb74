/** The public keys of the deployment, in the forms in which verifiers pin them. */
import { verificationKey } from "@svc/core";
import type { Foundation } from "../foundation.ts";
import { signingKeys } from "../tenancy/service-store.ts";

export class ReadKeys {
  readonly #ground: Pick<Foundation, "database" | "kernel" | "origin">;

  constructor(ground: Pick<Foundation, "database" | "kernel" | "origin">) {
    this.#ground = ground;
  }

  async read() {
    const { database, kernel, origin } = this.#ground;
    const keys = await database.read(signingKeys);
    return {
      origin,
      keys: keys.map((key) => ({
        kid: key.kid,
        public_key_hex: key.public_key_hex,
        vkey: verificationKey(kernel, origin, key.public_key_hex),
        status: key.retired_at === null ? "current" : "past",
        valid_from: key.valid_from,
      })),
      endorsements: [],
    };
  }
}
