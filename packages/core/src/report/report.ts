/**
 * The report: one shape from every verifier (protocol section 16).
 */
import type { CheckId, Kind } from "./checks.ts";
import type { ProblemCode } from "./codes.ts";

/**
 * The one word of a report (protocol section 16).
 *
 * - `verified`: all that the object lets one check holds, what the policy requires is there, and its trust reaches every signer.
 * - `rejected`: something does not hold, or what the policy requires is not there.
 * - `untrusted`: nothing is broken, but no pinned key leads to a signer, or the proof of a seal's time is missing.
 */
export type Verdict = "verified" | "rejected" | "untrusted";
export type CheckStatus = "pass" | "fail" | "not_checked" | "cannot_evaluate";

/** What a report is about. `id` is the object's own, null where it has none. */
export type Subject = {
  readonly id: string | null;
  readonly stream_id?: string;
  readonly from_seq_no?: number;
  readonly to_seq_no?: number;
  /** The service's own origin, where a checkpoint or an anchor states it. */
  readonly origin?: string;
  /** When the first and the last event that is there was received, by the service's clock. */
  readonly from_received_at?: string;
  readonly to_received_at?: string;
};

/** The event, the window, the checkpoint and the key that something in an object belongs to, as the object names them. */
export type PlaceNames = {
  readonly seq_no?: number;
  readonly window_no?: number;
  readonly checkpoint_no?: number;
  readonly kid?: string;
};

/** What a key signed: the object's own seal first, then what lies deeper. A witness signs for itself in fork evidence alone. */
export type SignerRole =
  | "truth-package"
  | "bundle"
  | "checkpoint"
  | "window"
  | "receipt"
  | "anchor"
  | "key"
  | "note"
  | "witness";

/** How the verifier's trust reaches a key: it is pinned, a pinned key endorses it, or neither. */
export type Reached = "pinned" | "endorsed" | "none";

/** A key whose signature holds, or could not be checked for want of the key, and what it signed. */
export type ReportedSigner = {
  readonly kid: string;
  /** SHA-256 of the raw public key, 64 lowercase hex characters; null where nobody told the key. */
  readonly fingerprint: string | null;
  readonly role: SignerRole;
  /** The least of what it signed in this role. */
  readonly reached: Reached;
};

export type CheckResult = {
  readonly id: CheckId;
  readonly status: CheckStatus;
  /** How many things the check looked at. */
  readonly count?: number;
  readonly note?: string;
};

/** A problem as a check finds it. It names its place itself only where its path does not lead there. */
export type Finding = PlaceNames & {
  readonly code: ProblemCode;
  /** Where it is: a JSON Pointer (RFC 6901) into the object, or into the trust policy with the prefix `trust:`. */
  readonly path: string;
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
};

/** A problem as a report states it. */
export type Problem = Finding & {
  /** What a person does next, from the table of codes. */
  readonly action: string;
};

/** What the evidence itself shows, recomputed and never read from the file. */
export type Assurance = {
  /** Every signature that belongs there was checked and holds. */
  readonly signed: boolean;
  /** Every event is shown to be in a window under a checkpoint. */
  readonly included: boolean;
  /** Every event of the range is shown to be there, none missing, none added. */
  readonly complete: boolean;
  /** `required`: by the policy or the verifier, whichever is more; `valid`: witnesses that cosigned; `pinned`: those the verifier pins. */
  readonly witnessed: { readonly required: number; readonly valid: number; readonly pinned: number };
  readonly published: "none" | "included" | "witnessed";
  readonly anchored: "none" | "pending" | "unpinned" | "pinned";
  /** How many records stand there without their payload. */
  readonly redacted: number;
};

/** What a verifier says of an object (protocol section 16). */
export type Report = {
  /** True only for the verdict `verified`. */
  readonly ok: boolean;
  readonly verdict: Verdict;
  /** Null where the bytes are of no known kind. */
  readonly kind: Kind | null;
  readonly subject: Subject;
  readonly verifier: { readonly name: string; readonly version: string; readonly kernel_sha256: string | null };
  readonly assurance: Assurance;
  /** By role, and in each by kid. */
  readonly signers: readonly ReportedSigner[];
  readonly checks: readonly CheckResult[];
  /** In the order of their checks; the first is the primary one. */
  readonly problems: readonly Problem[];
  readonly proves: readonly string[];
  readonly does_not_prove: readonly string[];
};
