/** An outside witness that this deployment feeds: its verification key (c2sp.org/tlog-cosignature), and its address. */
import { COSIGNATURE_LINE, type Kernel, noteKeyId, type PublicKeyHex, type WitnessKey } from "@svc/core";

/** A witness. It is data, so that it crosses between threads. */
export interface FedWitness {
  /** A C2SP key name. */
  readonly name: string;
  /** 8 lowercase hex characters. */
  readonly keyId: string;
  readonly publicKeyHex: PublicKeyHex;
  /** Its submission prefix (c2sp.org/tlog-witness), without a slash at its end. */
  readonly url: string;
}

/** Returns where a witness takes notes. */
export function submissionUrl({ url }: Pick<FedWitness, "url">): URL {
  return new URL(`${url}/add-checkpoint`);
}

const KIND = "witness.feed ";

/** The start of the outbox kinds of all witnesses. */
export const FEED_KINDS = `${KIND}%`;

/** Returns the outbox kind of a witness's messages: each key of a witness has its own. */
export function feedKind({ name, keyId }: Pick<FedWitness, "name" | "keyId">): string {
  return `${KIND}${name}+${keyId}`;
}

/** Returns the outbox kind of a key of a witness policy. */
export function feedKindOf(
  kernel: Kernel,
  { name, public_key_hex }: Pick<WitnessKey, "name" | "public_key_hex">,
): string {
  return feedKind({ name, keyId: noteKeyId(kernel, name, COSIGNATURE_LINE, public_key_hex) });
}
