/**
 * The sealing key on a thread that does not have its private half: another thread signs each message on request, if the
 * key still is the one that seals.
 */
import type { Kernel, PublicKeyHex } from "@svc/core";
import type { Reader } from "@svc/host/store";
import { currentSigningKey } from "./service-store.ts";
import { type CurrentKey, carriedKeys, type SigningKey } from "./signing-key.ts";

/** Resolves to the signature of a message by the current sealing key. Rejects if its kid is not this one. */
export type SignElsewhere = (message: Uint8Array, kid: string) => Promise<Uint8Array>;

/** Returns the sealing key, whose messages are signed one after another by `sign`. */
export function remoteSigningKey(kernel: Kernel, sign: SignElsewhere): Pick<SigningKey, "current" | "carried"> {
  return { current: (reader) => lentKey(reader, sign), carried: (reader) => carriedKeys(reader, kernel) };
}

async function lentKey(reader: Reader, signElsewhere: SignElsewhere): Promise<CurrentKey> {
  const row = await currentSigningKey(reader);
  if (row === null) throw new Error("this deployment has no sealing key");
  const { kid, public_key_hex, valid_from } = row;
  const sign = (message: Uint8Array) => signElsewhere(message, kid);
  const signAll = async (messages: readonly Uint8Array[]) => {
    const signatures: Uint8Array[] = [];
    for (const message of messages) signatures.push(await sign(message));
    return signatures;
  };
  return { kid, publicKeyHex: public_key_hex as PublicKeyHex, validFrom: valid_from, sign, signAll };
}
