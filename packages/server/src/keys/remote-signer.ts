/** The signatures of the side that records, for threads without the private key (signing/remote-signing-key.ts). */
import { part } from "@svc/host/parts";
import type { Context } from "../context.ts";

/** The signatures of the side that records. */
export const signaturesPart = part("signatures", ({ database, signingKey }: Context) => ({
  /** Resolves to the 64-byte signature (RFC 8032). Rejects with Error if another key seals by now. */
  sign: async (message: Uint8Array, kid: string): Promise<Uint8Array> => {
    // It was rotated a moment ago: the asker has to repeat a read that began under the old key.
    const key = await database.read((reader) => signingKey.current(reader));
    if (key.kid !== kid) throw new Error(`the sealing key is ${key.kid}, and no longer ${kid}`);
    return key.sign(message);
  },
}));
