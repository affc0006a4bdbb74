/** People's words for checks, verdicts and objects. Codes and their meanings are core's. */
import type { CheckId, CheckResult, Kind, Problem, ProblemCode, Report, Verdict } from "@svc/core";
import { counted } from "./numbers.ts";

/** How a verdict or a mark looks. The words carry the meaning. */
export type Tone = "good" | "warn" | "bad";

/** The word, the colour and the mark of each verdict. */
export const VERDICTS: Readonly<Record<Verdict, { readonly word: string; readonly tone: Tone }>> = {
  verified: { word: "VERIFIED", tone: "good" },
  rejected: { word: "REJECTED", tone: "bad" },
  untrusted: { word: "UNTRUSTED", tone: "warn" },
};

/** The subject of each check, in a word or two. */
export const CHECK_NAMES: Readonly<Record<CheckId, string>> = {
  json: "JSON",
  shape: "form",
  archive: "archive",
  manifest: "manifest",
  payload_hash: "payloads",
  event_hash: "event hashes",
  sequence: "order of events",
  receipt_signature: "receipt signatures",
  inclusion: "inclusion proofs",
  window_root: "window roots",
  window_seal: "window signatures",
  window_tiling: "gaps in windows",
  completeness: "completeness",
  checkpoint_root: "checkpoint roots",
  checkpoint_chain: "checkpoint order",
  checkpoint_seal: "checkpoint signatures",
  note: "checkpoint notes",
  consistency: "consistency",
  policy: "policies",
  witness: "witnesses",
  anchor: "anchors",
  fork: "fork evidence",
  bundle_seal: "bundle signature",
  export: "table of events",
  envelope: "envelopes",
  vault_key: "keys of vaults",
  vault_chain: "chains of vaults",
  provenance: "provenance root",
  attestation: "attestations",
  assurance: "levels of assurance",
  disclosure: "opened fields",
  provider: "providers",
  ivc: "recomputed epochs",
  key_endorsements: "key endorsements",
  trust: "whose key it is",
  known_checkpoint: "your checkpoints",
  expectation: "your expectations",
};

/** The words for a check's count, for checks that count something a person can picture. */
export const COUNTED: readonly (readonly [CheckId, string, string])[] = [
  ["payload_hash", "payload", "payloads"],
  ["event_hash", "event hash", "event hashes"],
  ["receipt_signature", "receipt signature", "receipt signatures"],
  ["window_root", "window root", "window roots"],
  ["window_seal", "window signature", "window signatures"],
  ["checkpoint_root", "checkpoint root", "checkpoint roots"],
  ["checkpoint_seal", "checkpoint signature", "checkpoint signatures"],
  ["bundle_seal", "bundle signature", "bundle signatures"],
];

/** The findings that say "not trusted"; all others say "wrong". */
export const DISTRUST: readonly ProblemCode[] = [
  "key_not_pinned",
  "key_revoked",
  "signer_not_for_stream",
  "key_time_unproven",
  "vault_revocation_time_uncertain",
  "vault_status_stale",
  "ivc_steps_absent",
  "known_checkpoint_newer",
];

/** Says whether a problem leaves the evidence unbroken, and only says that trust does not reach its signer. */
export function isDistrust({ code }: Pick<Problem, "code">): boolean {
  return DISTRUST.includes(code);
}

/** Returns a kind as a noun with its article. */
export function nounOf(kind: Kind): string {
  const names: Partial<Record<Kind, string>> = {
    "portable-receipt": "a portable receipt",
    stream: "a run of receipts",
    inclusion: "an inclusion proof",
    consistency: "a consistency proof",
    witness: "a witness statement",
    anchor: "an anchor",
    fork: "evidence of a fork",
    key: "a key endorsement",
    "truth-package": "a truth package",
    envelope: "an envelope",
    "vault-attestation": "an attestation of a vault",
    "key-status": "a key status",
    "provenance-inclusion": "an inclusion proof of an envelope",
    "provider-result": "a provider's result",
    "ivc-epoch": "an IVC epoch",
  };
  return names[kind] ?? `a ${kind}`;
}

/** Returns what holds, counted: `9 payloads`, `3 window roots`; for a failed payload check, the payloads that match. */
export function holding({ checks, problems }: Report): string[] {
  return COUNTED.flatMap(([id, one, many]) => {
    const count = heldCount(
      checks.find((check) => check.id === id),
      problems,
    );
    return count > 0 ? [counted(count, one, many)] : [];
  });
}

function heldCount(check: CheckResult | undefined, problems: readonly Problem[]): number {
  const { id, status, count = 0 } = check ?? {};
  if (status === "pass") return count;
  if (status !== "fail" || id !== "payload_hash") return 0;
  return count - problems.filter(({ code }) => code === "payload_hash_mismatch").length;
}
