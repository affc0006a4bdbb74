/**
 * Making fork evidence out of two signed statements (protocol section 11). Collects and names; whether they exclude each other is for the
 * examination to say.
 */
import type { JsonObject } from "../../kernel/kernel.ts";
import type { KeyEndorsement, KeyHint } from "../key-endorsement.ts";
import type { Policy } from "../policy.ts";
import type { Divergence, ForkEvidence, ForkKind } from "./schema.ts";

/** What goes into fork evidence besides its sides. */
export interface ForkInput {
  /** `frk_` and a ULID. */
  readonly fork_id: string;
  /** Null for the kind `epoch`, and for notes of a service's own log. */
  readonly stream_id: string | null;
  readonly kind: ForkKind;
  /** When the contradiction was found, YYYY-MM-DDTHH:MM:SS.mmmZ. */
  readonly detected_at: string;
  /** For the kinds `checkpoint`, `note` and `epoch`. */
  readonly divergence?: Divergence | null;
  /** For the kind `omission`: the policy that the checkpoint names. */
  readonly policy?: Policy;
  readonly key_hints?: readonly KeyHint[];
  readonly key_endorsements?: readonly KeyEndorsement[];
}

/** Makes fork evidence of two whole signed objects or texts of notes. Lists of keys that are empty are left out. */
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
