/**
 * The report: one shape from every verifier (protocol section 16).
 */
import type { CheckId, Kind } from "./checks.ts";
import type { ProblemCode } from "./codes.ts";

/**
 * The one word of a report (protocol section 16).
 *
 * - `verified`: everything that the object lets one check holds, it has all that the policy requires, and the policy's
 *   trust reaches every signer.
 * - `rejected`: something does not hold, or something that the policy requires is missing.
 * - `untrusted`: nothing that was checked is broken, but no pinned key leads to a signer, or the proof of a seal's time
 *   is missing.
 */
export type Verdict = "verified" | "rejected" | "untrusted";
export type CheckStatus = "pass" | "fail" | "not_checked" | "cannot_evaluate";

/** The object of a report. `id` is the object's own, null if it has none. */
export type Subject = {
  readonly id: string | null;
  readonly stream_id?: string;
  readonly from_seq_no?: number;
  readonly to_seq_no?: number;
  /** The service's own origin, if a checkpoint or an anchor states it. */
  readonly origin?: string;
  /** The times at which the first and the last event in the object were received, by the service's clock. */
  readonly from_received_at?: string;
  readonly to_received_at?: string;
};

/**
 * The event, the window, the checkpoint and the key that a place in an object belongs to, by their names in the object.
 */
export type PlaceNames = {
  readonly seq_no?: number;
  readonly window_no?: number;
  readonly checkpoint_no?: number;
  readonly kid?: string;
};

/**
 * The object that a key signed: first the object's own seal, then deeper ones. Only in fork evidence does a witness
 * count as a signer.
 */
export type SignerRole =
  | "truth-package"
  | "bundle"
  | "checkpoint"
  | "window"
  | "receipt"
  | "vault"
  | "anchor"
  | "key-status"
  | "provider-policy"
  | "result"
  | "ivc-epoch"
  | "key"
  | "note"
  | "witness";

/** How the verifier's trust reaches a key: it is pinned, a pinned key endorses it, or neither. */
export type Reached = "pinned" | "endorsed" | "none";

/** A key, and what it signed. Its signature holds, or could not be checked because nobody gave the key. */
export type ReportedSigner = {
  readonly kid: string;
  /** SHA-256 of the raw public key, 64 lowercase hex characters; null if nobody gave the key. */
  readonly fingerprint: string | null;
  readonly role: SignerRole;
  /** The weakest among the objects that it signed in this role. */
  readonly reached: Reached;
};

export type CheckResult = {
  readonly id: CheckId;
  readonly status: CheckStatus;
  /** The number of things that the check looked at. */
  readonly count?: number;
  readonly note?: string;
};

/**
 * A problem that a check found. It names its event, window, checkpoint or key itself only if its path does not lead
 * there.
 */
export type Finding = PlaceNames & {
  /** The next step of a person, where it is another than the code's. A report has it as the action (own-actions.ts). */
  readonly ownAction?: string;
  readonly code: ProblemCode;
  /** Its place: a JSON Pointer (RFC 6901) into the object, or into the trust policy with the prefix `trust:`. */
  readonly path: string;
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
};

/** A problem in a report. */
export type Problem = Omit<Finding, "ownAction"> & {
  /** The next step of a person, from the table of codes or an own action. */
  readonly action: string;
};

/** A level of assurance (protocol section 33). L3 is only derived. */
export type Level = "L0" | "L1" | "L2" | "L3";
/** The basis on which a vault's key is known to live in a token. */
export type CustodyBasis = "x509" | "ceremony" | "none";
/** Whether the envelopes of each vault are here from its first one on. */
export type VaultChain = "complete" | "partial" | "none";

/** The strength of what vaults state, recomputed (protocol section 33). Where words differ, the lowest one stands. */
export type ProvenanceAssurance = {
  readonly events: number;
  readonly installations: number;
  readonly vault_chain: VaultChain;
  /** How the verifier knows the vaults' keys. */
  readonly vault_keys: "pinned" | "service-vouched" | "none";
  /** Events by the level that their vault claims. */
  readonly claimed: { readonly L0: number; readonly L1: number; readonly L2: number; readonly unknown: number };
  /** Events by the level that counts for this verifier. */
  readonly effective: { readonly L0: number; readonly L1: number; readonly L2: number; readonly L3: number };
  /** Whose word the levels above L0 rest on. */
  readonly substantiated_by: "verifier" | "service" | "none";
  readonly key_custody: CustodyBasis;
  /** Whether an attestation here rests on a root of software. */
  readonly software_root: boolean;
};

/** The strength of the evidence itself, recomputed and never read from the file. */
export type Assurance = {
  /** Every signature that belongs there was checked and holds. */
  readonly signed: boolean;
  /** Every event is shown to be in a window under a checkpoint. */
  readonly included: boolean;
  /** Every event of the range is shown to be there, none missing, none added. */
  readonly complete: boolean;
  /**
   * `required`: by the policy or the verifier, the larger of the two; `valid`: witnesses that cosigned; `pinned`: those
   * of them that the verifier pins.
   */
  readonly witnessed: { readonly required: number; readonly valid: number; readonly pinned: number };
  readonly published: "none" | "included" | "witnessed";
  readonly anchored: "none" | "pending" | "unpinned" | "pinned";
  /** The number of records without their payload. */
  readonly redacted: number;
  /** Only for objects about what vaults state. */
  readonly provenance?: ProvenanceAssurance;
};

/**
 * The answer of a verifier about an object (protocol section 16). As JSON, shortened:
 *
 * ```json
 * {"ok":true,"verdict":"verified","kind":"receipt","subject":{"id":"evt_01k3…","stream_id":"str_01k3…"},"problems":[]}
 * ```
 */
export type Report = {
  /** True only for the verdict `verified`. */
  readonly ok: boolean;
  readonly verdict: Verdict;
  /** Null if the bytes are of no known kind. */
  readonly kind: Kind | null;
  readonly subject: Subject;
  readonly verifier: { readonly name: string; readonly version: string; readonly kernel_sha256: string | null };
  readonly assurance: Assurance;
  /** By role, and within a role by kid. */
  readonly signers: readonly ReportedSigner[];
  readonly checks: readonly CheckResult[];
  /** In the order of their checks; the first is the primary one. */
  readonly problems: readonly Problem[];
  readonly proves: readonly string[];
  readonly does_not_prove: readonly string[];
};
