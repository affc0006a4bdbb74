/** The signers of a report: who signed which object, and how trust reaches each (protocol section 16). */
import { encodeHex, hexToBytes } from "../encoding/hex.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { PublicKeyHex } from "../schema/atoms.ts";
import { MAX_PROBLEMS } from "./bounds.ts";
import type { Reached, ReportedSigner, SignerRole } from "./report.ts";

/** A signer without its fingerprint. `publicKeyHex` is null if nobody gave the key. */
export interface FoundSigner extends Omit<ReportedSigner, "fingerprint"> {
  readonly publicKeyHex: PublicKeyHex | null;
}

/** Each role once, in the order in which a report names signers. */
export const SIGNER_ROLES: readonly SignerRole[] = [
  "truth-package",
  "bundle",
  "checkpoint",
  "window",
  "receipt",
  "vault",
  "anchor",
  "key-status",
  "provider-policy",
  "result",
  "ivc-epoch",
  "key",
  "note",
  "witness",
];
/** Weaker ones come first. */
const REACHED: readonly Reached[] = ["none", "endorsed", "pinned"];

/** The signers of one examination. */
export class SignerList {
  readonly #found = new Map<string, FoundSigner>();

  /** Notes a signer. If it is known in its role, the weaker reach counts, and its key only if every part gives it. */
  add(signer: FoundSigner): void {
    const key = keyOf(signer);
    const known = this.#found.get(key) ?? signer;
    const [reached = "none"] = REACHED.filter((one) => one === signer.reached || one === known.reached);
    this.#found.set(key, { ...known, reached, publicKeyHex: signer.publicKeyHex && known.publicKeyHex });
  }

  /** Notes that trust does not reach a signer after all; does nothing for an unknown one. */
  lower(signer: Pick<FoundSigner, "kid" | "role">): void {
    const known = this.#found.get(keyOf(signer));
    if (known !== undefined) this.add({ ...known, reached: "none" });
  }

  /** Notes the signers of a part. */
  adopt(part: SignerList): void {
    for (const signer of part.#found.values()) this.add(signer);
  }

  /** Returns the signers in the form and order of a report. */
  list(kernel: Kernel): ReportedSigner[] {
    const rank = ({ role }: FoundSigner) => SIGNER_ROLES.indexOf(role);
    return [...this.#found.values()]
      .sort((a, b) => rank(a) - rank(b) || (a.kid < b.kid ? -1 : 1))
      .slice(0, MAX_PROBLEMS)
      .map(({ kid, role, reached, publicKeyHex }) => ({
        kid,
        fingerprint: publicKeyHex === null ? null : encodeHex(kernel.sha256(hexToBytes(publicKeyHex))),
        role,
        reached,
      }));
  }
}

function keyOf({ kid, role }: Pick<FoundSigner, "kid" | "role">): string {
  return `${role} ${kid}`;
}
