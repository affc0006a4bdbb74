/**
 * Verifying what anybody hands in, by core's own function and nothing else. The server pins its own keys, so that its own evidence is
 * not merely `untrusted`; the report says by which key.
 */
import { detectKind, type Json, type Kind, type Report, verify } from "@svc/core";
import { ServiceError } from "../errors.ts";
import type { Foundation } from "../foundation.ts";
import { signingKeys } from "../tenancy/service-store.ts";

export class VerifyEvidence {
  readonly #ground: Pick<Foundation, "database" | "kernel" | "origin">;

  constructor(ground: Pick<Foundation, "database" | "kernel" | "origin">) {
    this.#ground = ground;
  }

  /** The report on an object; `value` is what `bytes` parse to. `kind` is the only one that is wanted, null for any. */
  async verify(bytes: Uint8Array, value: Json, kind: Kind | null): Promise<Report> {
    const { database, kernel, origin } = this.#ground;
    const found = detectKind(value);
    if (found === null)
      throw new ServiceError(
        "unsupported_object",
        "The members of this object are of no kind of evidence that this server can verify. Send the bare object, without anything around it.",
      );
    if (kind !== null && found !== kind)
      throw new ServiceError(
        "wrong_kind",
        `This route verifies a ${kind}, and the object is a ${found}. Send it to POST /v2/verify.`,
        { kind: found },
      );
    const keys = await database.read(signingKeys);
    const signers = keys.map(({ kid, public_key_hex }) => ({ kid, public_key_hex, origin }));
    return verify(bytes, { kind: found, trust: { signers }, kernel });
  }
}
