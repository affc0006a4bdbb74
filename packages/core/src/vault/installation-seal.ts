/**
 * A seal by the key of an installation (protocol section 17). Its trust does not come from the signers that a verifier
 * pins, but from what is known of the vault's key: known-keys.ts says that.
 */
import { hexToBytes } from "../encoding/hex.ts";
import type { JsonObject } from "../kernel/kernel.ts";
import type { Tag } from "../protocol.ts";
import type { CheckId } from "../report/checks.ts";
import type { ProblemCode } from "../report/codes.ts";
import type { Examination } from "../report/examination.ts";
import type { Reached } from "../report/report.ts";
import type { Kid, PublicKeyHex } from "../schema/atoms.ts";
import { type AnySeal, kidOf, sealedBytes } from "../seal.ts";
import type { KnownKey, Vouched } from "./known-keys.ts";

/** A sealed object, and where it stands. */
export interface InstallationSeal {
  readonly tag: Tag;
  readonly body: () => JsonObject;
  readonly seal: AnySeal;
  /** JSON Pointer to the seal. */
  readonly path: string;
  /** The sealed object in words, as in "envelope 3 of ins_01k3…". */
  readonly what: () => string;
  /** The code of a seal that does not hold. */
  readonly code: ProblemCode;
  /** The key under which it is known already to hold. */
  readonly holdsUnder?: PublicKeyHex | null | undefined;
}

const REACHED: Readonly<Record<Vouched, Reached>> = {
  none: "none",
  "service-vouched": "endorsed",
  pinned: "pinned",
};

/** The kids of keys that have been asked for: one key seals often. */
const kids = new WeakMap<object, Kid>();

/** Has the seal of an object checked under the key that is known for an installation. */
export function examineInstallationSeal(
  exam: Examination,
  check: CheckId,
  key: Pick<KnownKey, "publicKeyHex" | "vouched">,
  { tag, body, seal, path, what, code, holdsUnder }: InstallationSeal,
): void {
  const { publicKeyHex, vouched } = key;
  exam.signerSeen();
  if (publicKeyHex === null) {
    exam.signatureMissing(check);
    return;
  }
  const { kid } = seal;
  const own = kids.get(key) ?? kidOf(exam.kernel, publicKeyHex);
  kids.set(key, own);
  if (kid !== own) {
    exam.reject(check, {
      code,
      path: `${path}/kid`,
      message: `The seal on ${what()} is by another key than the one that is known for the installation.`,
      expected: own,
      actual: kid,
    });
    return;
  }
  const sealer = { kid, publicKeyHex, role: "vault" as const, reached: REACHED[vouched] };
  if (holdsUnder === publicKeyHex) {
    exam.looked(check);
    exam.signedBy(sealer);
    return;
  }
  const finding = { code, path: `${path}/signature`, message: `The seal on ${what()} does not verify under ${kid}.` };
  const message = sealedBytes(exam.kernel, tag, body(), kid);
  exam.signature(check, publicKeyHex, message, hexToBytes(seal.signature), finding, sealer);
}
