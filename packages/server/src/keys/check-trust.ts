/** The keys for a check, read in the same snapshot as the rows that it verifies: a server beside it may rotate them. */
import type { TrustPolicy } from "@svc/core";
import type { Reader } from "@svc/host/store";
import type { KidSigner } from "../signing/file-signer.ts";
import { ownTrust, type SigningKeyRow, signingKeys } from "../signing/service-store.ts";

/** Resolves to the deployment's keys, the newest first, and to a trust policy that pins them and that of `signer`. */
export async function checkTrust(
  reader: Reader,
  origin: string,
  { kid, publicKeyHex }: Pick<KidSigner, "kid" | "publicKeyHex">,
): Promise<{ readonly keys: SigningKeyRow[]; readonly trust: TrustPolicy }> {
  const own = await ownTrust(reader, origin);
  const trust = { ...own, signers: [...own.signers, { kid, public_key_hex: publicKeyHex }] };
  return { keys: await signingKeys(reader), trust };
}
