/**
 * The table of protocol section 26: what the enrolment and the end of an installation's key mean for an event that it
 * sealed. It judges times only; known-keys.ts says which status applies.
 */
import type { KeyStatusBody } from "./key-status/schema.ts";

/** How an event is dated. */
export interface DatedEvent {
  /** The time at which the service accepted it, by the service's clock; null without a receipt. */
  readonly receivedAt: string | null;
  /** Says whether a witness or block that the verifier pins shows the event before an instant (section 4). */
  provenBefore(instant: string): boolean;
  /** Whether the service's word stands in for that proof, as it does for its own result (section 23). */
  readonly isByWord?: true;
}

/** Something that no service has received. */
export const UNDATED: DatedEvent = { receivedAt: null, provenBefore: () => false };

/** The codes with which the table keeps an event from passing. */
export type KeyTimeCode =
  | "vault_key_not_yet_enrolled"
  | "vault_key_revoked"
  | "vault_revocation_time_uncertain"
  | "key_time_unproven";

/** A cell of the table. `isNoted`: it passes although the end of the key was stated backwards. */
export type KeyTimeCell =
  | { readonly verdict: "passes"; readonly isNoted: boolean }
  | { readonly verdict: "rejected" | "untrusted"; readonly code: KeyTimeCode };

const PASSES: KeyTimeCell = { verdict: "passes", isNoted: false };
const rejected = (code: KeyTimeCode): KeyTimeCell => ({ verdict: "rejected", code });
const untrusted = (code: KeyTimeCode): KeyTimeCell => ({ verdict: "untrusted", code });

/**
 * Returns the cell of an event. `status`: the latest of its key. `toldAt`: the time of the earliest known status that
 * tells of the end; null if none does. `wantsProof`: whether the trust policy says `vault_time: "proven"`.
 */
export function keyTimeCell(
  status: Pick<KeyStatusBody, "enrolledAt" | "revokedAt" | "revocationReason" | "revocationInstantReconstructed">,
  toldAt: string | null,
  { receivedAt, provenBefore }: DatedEvent,
  wantsProof: boolean,
): KeyTimeCell {
  const { enrolledAt, revokedAt, revocationReason, revocationInstantReconstructed: reconstructed } = status;
  if (receivedAt !== null && receivedAt < enrolledAt) return rejected("vault_key_not_yet_enrolled");
  if (revokedAt === null) return PASSES;
  if (receivedAt === null) return untrusted("key_time_unproven");
  if (receivedAt >= revokedAt) {
    // An end that was stated backwards must not make evidence false that was true when it was accepted.
    const wasTold = toldAt !== null && receivedAt >= toldAt;
    return !reconstructed || wasTold ? rejected("vault_key_revoked") : untrusted("vault_revocation_time_uncertain");
  }
  if (provenBefore(revokedAt)) return { verdict: "passes", isNoted: reconstructed };
  const isSuspect = revocationReason === "key_compromise" || revocationReason === "unspecified";
  if (reconstructed && isSuspect) return untrusted("vault_revocation_time_uncertain");
  return wantsProof ? untrusted("key_time_unproven") : PASSES;
}
