/** Seals a key status (protocol section 26). */
import type { JsonObject, Kernel } from "../../kernel/kernel.ts";
import { kidOf, makeSeal, type Signer } from "../../seal.ts";
import type { KeyStatus, KeyStatusBody } from "./schema.ts";

/** Returns the members that the seal of a status covers. */
export function keyStatusBody(status: KeyStatus): KeyStatusBody & JsonObject {
  const { seal: _seal, ...body } = status;
  return body;
}

/**
 * Seals a key status (protocol section 26). `signer`: the service's key. `body`: the status without its seal; `keyId`
 * is derived from the key. Resolves to the status. Rejects with TypeError for a key that is not hex. It does not check
 * that the members fit each other: `verify` does.
 *
 * @example
 * const status = await issueKeyStatus(kernel, signer, {
 *   installationId: "ins_01k3zjv5c7m5n0rhd0sxkqgx2t",
 *   publicKeyHex: service.publicKeyHex,
 *   status: "active",
 *   enrolledAt: "2026-03-01T00:00:00.000Z",
 *   revokedAt: null,
 *   revocationReason: null,
 *   replacedByInstallationId: null,
 *   revocationInstantReconstructed: false,
 *   statusAt: "2026-03-02T00:00:00.000Z",
 * });
 * console.log(status.keyId === kidOf(kernel, service.publicKeyHex)); // true
 */
export async function issueKeyStatus(
  kernel: Kernel,
  signer: Signer,
  body: Omit<KeyStatusBody, "keyId">,
): Promise<KeyStatus> {
  const { installationId, publicKeyHex, ...rest } = body;
  const whole = { installationId, keyId: kidOf(kernel, publicKeyHex), publicKeyHex, ...rest };
  return { ...whole, seal: await makeSeal(kernel, "key-status", whole, signer) };
}
