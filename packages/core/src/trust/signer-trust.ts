/**
 * Decides whether trust reaches the signer of each seal, at the time at which it sealed (protocol section 4). It holds
 * back each decision that depends on time evidence until all of that is known.
 */
import { ASK_FOR_NEW_KEY, COMPARE_AGAIN } from "../own-actions.ts";
import { unixSeconds } from "../protocol.ts";
import type { Finding, Reached, SignerRole } from "../report/report.ts";
import type { Kid } from "../schema/atoms.ts";
import type { DistrustCode, KeyRing } from "./key-ring.ts";

/** The use of a key for one seal. */
export interface SealUse {
  /** JSON Pointer to the seal. */
  readonly path: string;
  /** The sealed object in words, as in "the receipt of event 7". */
  readonly what: string;
  readonly streamId?: string | undefined;
  /** The time that the sealed object states for itself. */
  readonly ownTime?: string;
  /** The sequence number of the event, or of the last event that the object covers: later time evidence covers it. */
  readonly eventNo?: number;
  /** The service's own origin, for an epoch of its log, which is sealed for no stream. */
  readonly serviceOrigin?: string;
}

/**
 * A time, proven by a witness or block that the verifier pins, at which the stream already held its events up to
 * `toSeqNo`, or at which the object under the seal at `sealPath` already existed.
 */
export type TimeProof = { readonly unixSeconds: number } & (
  | { readonly toSeqNo: number }
  | { readonly sealPath: string }
);

/** A use of a key, and the role of the object that it signed. */
export interface SignedUse extends SealUse {
  readonly role: SignerRole;
}

/** How trust reaches the signer of one use, and the finding that keeps it from going further. */
export interface Judgement {
  readonly reached: Reached;
  readonly rejection?: Finding;
  readonly distrust?: Finding;
}

interface DatedUse {
  readonly use: SignedUse;
  readonly kid: Kid;
  readonly validTo: string;
}

/** The signers of one examination. */
export class SignerTrust {
  readonly #keys: KeyRing;
  readonly #timeProofs: TimeProof[] = [];
  readonly #datedUses: DatedUse[] = [];

  constructor(keys: KeyRing) {
    this.#keys = keys;
  }

  /**
   * Judges one use of a key, in a stream of this origin if one is stated. `unproven` judges a key with an end later.
   */
  judge(kid: Kid, use: SignedUse, origin: string | undefined): Judgement {
    const { streamId, serviceOrigin } = use;
    const standing = this.#keys.standing(kid, serviceOrigin === undefined ? { streamId, origin } : { serviceOrigin });
    const path = `${use.path}/kid`;
    if (!standing.trusted) {
      const hasPins = this.#keys.pinned().length > 0;
      const near = standing.code === "key_not_pinned" ? this.#keys.nearPin(kid) : null;
      if (near !== null)
        return {
          reached: "none",
          distrust: {
            code: standing.code,
            path,
            message:
              `${kid}, which sealed ${use.what}, is nearly the key that you pinned: one of the two was copied ` +
              `wrongly.`,
            expected: near,
            actual: `${this.#keys.publicKey(kid)}`,
            kid,
            ownAction: COMPARE_AGAIN,
          },
        };
      // Nothing shows that a key sealed anything where nobody gave it: anybody can name one.
      const isChecked = this.#keys.publicKey(kid) !== null;
      const relation = isChecked ? `which sealed ${use.what}` : `in whose name ${use.what} is`;
      const unchecked = isChecked ? "" : " Its signature could not be checked.";
      return {
        reached: "none",
        distrust: {
          code: standing.code,
          path,
          message: distrustMessage(standing.code, kid, relation, hasPins) + unchecked,
          kid,
          ...(standing.code === "key_not_pinned" && hasPins ? { ownAction: ASK_FOR_NEW_KEY } : {}),
        },
      };
    }
    const { validFrom, validTo } = standing;
    const { ownTime } = use;
    if (ownTime !== undefined && validFrom !== null && ownTime < validFrom) {
      const message = `${kid} sealed ${use.what} before it was valid.`;
      return {
        reached: "none",
        rejection: { code: "key_not_valid_at_time", path, message, expected: `from ${validFrom}`, actual: ownTime },
      };
    }
    if (ownTime !== undefined && validTo !== null && ownTime > validTo) {
      const message = `${kid} sealed ${use.what} after its end.`;
      return {
        reached: "none",
        rejection: { code: "key_not_valid_at_time", path, message, expected: `to ${validTo}`, actual: ownTime },
      };
    }
    if (validTo !== null) this.#datedUses.push({ use, kid, validTo });
    return { reached: validFrom === null ? "pinned" : "endorsed" };
  }

  addTimeProof(proof: TimeProof): void {
    this.#timeProofs.push(proof);
  }

  /** Says whether time evidence shows the stream up to an event before an instant, a service time. */
  isProvenBefore(instant: string, seqNo: number): boolean {
    const limit = Date.parse(instant);
    return this.#timeProofs.some(
      (proof) => "toSeqNo" in proof && proof.toSeqNo >= seqNo && proof.unixSeconds * 1000 < limit,
    );
  }

  /**
   * Returns the uses that no time evidence places at or before the end of their key: a key that is stolen later can
   * backdate.
   */
  unproven(): { kid: Kid; role: SignerRole; finding: Finding }[] {
    return this.#datedUses
      .filter(({ use, validTo }) => !this.#isProven(use, validTo))
      .map(({ use, kid, validTo }) => {
        const message =
          `${kid} is trusted up to ${validTo} only, and nothing you pin shows that ` +
          `${use.what} was sealed by then.`;
        return { kid, role: use.role, finding: { code: "key_time_unproven", path: `${use.path}/kid`, message, kid } };
      });
  }

  #isProven({ eventNo, path }: SealUse, validTo: string): boolean {
    const limit = unixSeconds(validTo);
    return this.#timeProofs.some((proof) => {
      const covers = "sealPath" in proof ? proof.sealPath === path : eventNo !== undefined && proof.toSeqNo >= eventNo;
      return covers && proof.unixSeconds <= limit;
    });
  }
}

/** `relation`: what the key has to do with the object, as `which sealed the receipt of event 1`. */
function distrustMessage(code: DistrustCode, kid: Kid, relation: string, hasPins: boolean): string {
  switch (code) {
    case "key_not_pinned":
      if (hasPins) return `No key that you pinned is ${kid}, ${relation}, or vouches for it as you allow.`;
      return `You have not said whose key ${kid} is, ${relation}.`;
    case "key_revoked":
      return `${kid}, ${relation}, is revoked, or only a revoked key vouches for it.`;
    case "signer_not_for_stream":
      return `${kid}, ${relation}, is pinned, but not for this stream.`;
    case "key_time_unproven":
      return `${kid}, ${relation}, is endorsed only by a key with an end, and nothing dates that.`;
  }
}
