/**
 * A handover: the key of an installation names the key of its successor (protocol section 26). With it, a reader who
 * pins the old key need not take the service's word for the new one. known-keys.ts decides which handovers count.
 */
import { hexToBytes } from "../encoding/hex.ts";
import type { JsonObject, Kernel } from "../kernel/kernel.ts";
import type { Examination } from "../report/examination.ts";
import { Closed, PublicKey, type PublicKeyHex, ServiceTime } from "../schema/atoms.ts";
import type * as Type from "../schema/type.ts";
import { AttestationSeal, kidOf, makeSeal, type Signer, sealedBytes } from "../seal.ts";

/**
 * The statement of an installation's key about the key of its successor (protocol section 26). As JSON, shortened:
 *
 * ```json
 * {"publicKeyHex":"0ca2af…","newPublicKeyHex":"e78f14…","handoverAt":"2026-03-02T00:00:00.000Z","seal":{}}
 * ```
 */
export const Handover = Closed(
  { publicKeyHex: PublicKey, newPublicKeyHex: PublicKey, handoverAt: ServiceTime, seal: AttestationSeal },
  { $id: "handover" },
);
export type Handover = Type.Static<typeof Handover>;

/** Returns the members that the seal of a handover covers. */
export function handoverBody(handover: Handover): JsonObject {
  const { seal: _seal, ...body } = handover;
  return body;
}

/**
 * Hands over to a successor's key (protocol sections 18 and 26). `signer`: the old key. `newPublicKeyHex`: the new one,
 * 64 lowercase hex characters. `handoverAt`: YYYY-MM-DDTHH:MM:SS.mmmZ. Resolves to the handover. It does not check the
 * time.
 *
 * @example
 * const handover = await issueHandover(kernel, signer, service.publicKeyHex, "2026-03-02T00:00:00.000Z");
 * console.log(handover.publicKeyHex === signer.publicKeyHex); // true
 */
export async function issueHandover(
  kernel: Kernel,
  signer: Signer,
  newPublicKeyHex: PublicKeyHex,
  handoverAt: string,
): Promise<Handover> {
  const body = { publicKeyHex: signer.publicKeyHex, newPublicKeyHex, handoverAt };
  return { ...body, seal: await makeSeal(kernel, "handover", body, signer) };
}

/**
 * Checks handovers: each is signed by the old key that it names, and no key hands over to two. Returns those that hold.
 * `path`: of the list.
 */
export function examineHandovers(exam: Examination, handovers: readonly Handover[], path: string): Handover[] {
  const successors = new Map<PublicKeyHex, PublicKeyHex>();
  return handovers.filter((handover, index) => {
    const { publicKeyHex, newPublicKeyHex, seal } = handover;
    const at = `${path}/${index}`;
    const isOwn = exam.expect("vault_key", seal.kid === kidOf(exam.kernel, publicKeyHex), {
      code: "handover_invalid",
      path: `${at}/seal/kid`,
      message: "The handover is not by the key that hands over.",
    });
    const message = sealedBytes(exam.kernel, "handover", handoverBody(handover), seal.kid);
    const holds =
      isOwn &&
      exam.signatureNow("vault_key", publicKeyHex, message, hexToBytes(seal.signature), {
        code: "handover_invalid",
        path: `${at}/seal/signature`,
        message: "The handover does not verify under the key that hands over.",
      });
    const other = successors.get(publicKeyHex) ?? newPublicKeyHex;
    successors.set(publicKeyHex, other);
    const isOnly = exam.expect("vault_key", other === newPublicKeyHex, {
      code: "handover_invalid",
      path: at,
      message: "One key hands over to two different keys.",
    });
    return holds && isOnly;
  });
}
