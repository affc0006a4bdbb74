/**
 * Key hints and key endorsements: the keys that travel with an object (protocol section 4). A hint lets checks run and
 * gives no trust; an endorsement extends a pinned key's trust to its successor. ../trust/key-ring.ts decides which
 * chains count.
 */
import { hexToBytes } from "../encoding/hex.ts";
import type { JsonObject, Kernel } from "../kernel/kernel.ts";
import type { Examination } from "../report/examination.ts";
import { Closed, type Kid, KidText, OneOf, PublicKey, type PublicKeyHex, ServiceTime } from "../schema/atoms.ts";
import * as Type from "../schema/type.ts";
import { kidOf, makeSeal, Seal, type Signer, sealedBytes } from "../seal.ts";

/**
 * A key that travels with an object, and gives it no trust (protocol section 4). As JSON, shortened:
 *
 * ```json
 * {"kid":"ed25519-4c869819ecf028ae","public_key_hex":"7a6945…"}
 * ```
 */
export const KeyHint = Closed({ kid: KidText, public_key_hex: PublicKey });
export type KeyHint = Type.Static<typeof KeyHint>;
export const KeyHints = Type.Array(KeyHint);

/**
 * The statement of a key about its successor (protocol section 4). As JSON, shortened:
 *
 * ```json
 * {"endorsed_kid":"ed25519-9883257c10582b84","public_key_hex":"ec4453…","valid_from":"2026-03-01T00:00:00.000Z",
 *  "reason":"rotation","seal":{}}
 * ```
 */
export const KeyEndorsement = Closed(
  {
    endorsed_kid: KidText,
    public_key_hex: PublicKey,
    valid_from: ServiceTime,
    reason: OneOf("rotation"),
    seal: Seal,
  },
  { $id: "key-endorsement" },
);
export type KeyEndorsement = Type.Static<typeof KeyEndorsement>;
export const KeyEndorsements = Type.Array(KeyEndorsement);

/** Returns the members that an endorsement's seal covers. */
export function endorsementBody(endorsement: KeyEndorsement): JsonObject {
  const { seal: _seal, ...body } = endorsement;
  return body;
}

/**
 * Endorses a successor's key with the signer's key (protocol section 4). `signer`: the old key. `publicKeyHex`: the new
 * one, 64 lowercase hex characters. `validFrom`: YYYY-MM-DDTHH:MM:SS.mmmZ; earlier seals by the new key do not count.
 * Resolves to the endorsement. Rejects with TypeError for a key that is not hex. It does not check the time.
 *
 * @example
 * const endorsement = await issueKeyEndorsement(kernel, signer, service.publicKeyHex, "2026-03-01T00:00:00.000Z");
 * console.log(endorsement.endorsed_kid === kidOf(kernel, service.publicKeyHex)); // true
 */
export async function issueKeyEndorsement(
  kernel: Kernel,
  signer: Signer,
  publicKeyHex: PublicKeyHex,
  validFrom: string,
): Promise<KeyEndorsement> {
  const body = {
    endorsed_kid: kidOf(kernel, publicKeyHex),
    public_key_hex: publicKeyHex,
    valid_from: validFrom,
    reason: "rotation" as const,
  };
  return { ...body, seal: await makeSeal(kernel, "key", body, signer) };
}

/**
 * Returns the hint for a key (protocol section 4). `publicKeyHex`: 64 lowercase hex characters. Throws TypeError for a
 * key that is not hex.
 *
 * @example
 * console.log(keyHint(kernel, service.publicKeyHex).kid === receipt.receipt.kid); // true
 */
export function keyHint(kernel: Kernel, publicKeyHex: PublicKeyHex): { kid: Kid; public_key_hex: PublicKeyHex } {
  return { kid: kidOf(kernel, publicKeyHex), public_key_hex: publicKeyHex };
}

/**
 * Takes up the keys that came with an object: checks their identifiers, the endorsements' signatures, and that no key
 * endorses two successors. An endorsement is left out if nobody told the endorser's key: it says nothing to this
 * verifier. `place`: of the part that they came with, in the object.
 */
export function openKeys(
  exam: Examination,
  hints: readonly KeyHint[],
  endorsements: readonly KeyEndorsement[],
  place = "",
): void {
  hints.forEach((hint, index) => {
    expectOwnKid(exam, hint.kid, hint.public_key_hex, `${place}/key_hints/${index}/kid`);
  });
  exam.keys.carry(hints, endorsements);
  if (endorsements.length === 0) exam.notChecked("key_endorsements", "no key endorsements");
  const successors = new Map<Kid, PublicKeyHex>();
  const held = endorsements.filter((endorsement, index) => {
    const path = `${place}/key_endorsements/${index}`;
    const { endorsed_kid, public_key_hex, seal } = endorsement;
    const isNamed = expectOwnKid(exam, endorsed_kid, public_key_hex, `${path}/endorsed_kid`);
    const endorserKeyHex = exam.keys.publicKey(seal.kid);
    if (endorserKeyHex === null) return false;
    const message = sealedBytes(exam.kernel, "key", endorsementBody(endorsement), seal.kid);
    const holds = exam.signatureNow("key_endorsements", endorserKeyHex, message, hexToBytes(seal.signature), {
      code: "signature_invalid",
      path: `${path}/seal/signature`,
      message: `The endorsement of ${endorsed_kid} does not verify under ${seal.kid}.`,
    });
    if (!holds) return false;
    const first = successors.get(seal.kid) ?? public_key_hex;
    successors.set(seal.kid, first);
    const isOne = exam.expect("key_endorsements", first === public_key_hex, {
      code: "key_endorsement_conflict",
      path,
      message: `${seal.kid} endorses two different keys as its successor.`,
    });
    return isNamed && isOne;
  });
  exam.keys.accept(held);
}

/** Examines a standalone endorsement. Its seal is judged like the seal of any other object. */
export function examineKeyEndorsement(exam: Examination, endorsement: KeyEndorsement): void {
  exam.subject = { id: endorsement.endorsed_kid };
  expectOwnKid(exam, endorsement.endorsed_kid, endorsement.public_key_hex, "/endorsed_kid");
  exam.seal("key_endorsements", "key", endorsementBody(endorsement), endorsement.seal, {
    path: "/seal",
    what: "the endorsement",
  });
  const { kid } = endorsement.seal;
  if (exam.keys.mayEndorse(kid)) return;
  const message = `You pin ${kid} so that no endorsement by it counts.`;
  exam.distrust({ code: "key_not_pinned", path: "/seal/kid", message }, kid);
}

function expectOwnKid(exam: Examination, kid: Kid, publicKeyHex: PublicKeyHex, path: string): boolean {
  return exam.expect("key_endorsements", kid === kidOf(exam.kernel, publicKeyHex), {
    code: "kid_mismatch",
    path,
    message: "A key that came with the object has an identifier that is not its own.",
    expected: kidOf(exam.kernel, publicKeyHex),
    actual: kid,
  });
}
