/**
 * Makes fork evidence out of two signed statements (protocol section 11). It collects and names; the examination
 * decides whether they exclude each other.
 */
import type { JsonObject } from "../../kernel/kernel.ts";
import type { KeyEndorsement, KeyHint } from "../key-endorsement.ts";
import type { Policy } from "../policy.ts";
import type { Divergence, ForkEvidence, ForkKind } from "./schema.ts";

/** The members of fork evidence besides its sides. */
export interface ForkInput {
  /** `frk_` and a ULID. */
  readonly fork_id: string;
  /** Null for the kind `epoch`, and for notes of a service's own log. */
  readonly stream_id: string | null;
  readonly kind: ForkKind;
  /** The time at which the contradiction was found, YYYY-MM-DDTHH:MM:SS.mmmZ. */
  readonly detected_at: string;
  /** For the kinds `checkpoint`, `note` and `epoch`. */
  readonly divergence?: Divergence | null;
  /** For the kind `omission`: the policy that the checkpoint names. */
  readonly policy?: Policy;
  readonly key_hints?: readonly KeyHint[];
  readonly key_endorsements?: readonly KeyEndorsement[];
}

/**
 * Makes fork evidence of two whole signed objects or texts of notes (protocol section 11). `left`, `right`: in the
 * order that the kind demands. `input`: the other members; an empty list of keys is left out. It checks nothing:
 * `verify` does, and `findFork` finds the sides of two objects by itself.
 *
 * @example
 * const [one, other] = [event, { ...event, source_ref: "loan-1002" }];
 * const left = await issueReceipt(kernel, signer, one, place);
 * const right = await issueReceipt(kernel, signer, other, place);
 * const [fork_id, detected_at] = ["frk_01k3zjv5c7m5n0rhd0sxkqgx2t", "2026-03-02T00:00:00.000Z"];
 * const { stream_id } = place;
 * const evidence = issueForkEvidence(left, right, { fork_id, stream_id, kind: "head", detected_at });
 * const own = pinKeys(kernel, [signer.publicKeyHex]);
 * console.log(verify(kernel.canonicalize(evidence), { trust: own }).verdict); // verified
 */
export function issueForkEvidence(
  left: JsonObject | string,
  right: JsonObject | string,
  input: ForkInput,
): ForkEvidence {
  const { fork_id, stream_id, kind, detected_at, divergence = null, policy } = input;
  const { key_hints = [], key_endorsements = [] } = input;
  return {
    fork_id,
    stream_id,
    kind,
    left,
    right,
    divergence,
    ...(policy === undefined ? {} : { policy }),
    detected_at,
    ...(key_hints.length === 0 ? {} : { key_hints: [...key_hints] }),
    ...(key_endorsements.length === 0 ? {} : { key_endorsements: [...key_endorsements] }),
  };
}
