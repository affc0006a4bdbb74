/** The checks in their fixed order, and the checks of each kind of object (protocol section 16). */

/** Every check, in the order in which reports list them. */
export const CHECK_ORDER = [
  "json",
  "shape",
  "archive",
  "manifest",
  "payload_hash",
  "event_hash",
  "sequence",
  "receipt_signature",
  "inclusion",
  "window_root",
  "window_seal",
  "window_tiling",
  "completeness",
  "checkpoint_root",
  "checkpoint_chain",
  "checkpoint_seal",
  "note",
  "consistency",
  "policy",
  "witness",
  "anchor",
  "fork",
  "bundle_seal",
  "export",
  "envelope",
  "vault_key",
  "vault_chain",
  "provenance",
  "attestation",
  "assurance",
  "disclosure",
  "provider",
  "ivc",
  "key_endorsements",
  "trust",
  "known_checkpoint",
  "expectation",
] as const;

export type CheckId = (typeof CHECK_ORDER)[number];

/** The kinds of object that are one JSON text. */
export type JsonKind =
  | "receipt"
  | "portable-receipt"
  | "stream"
  | "window"
  | "inclusion"
  | "checkpoint"
  | "consistency"
  | "witness"
  | "anchor"
  | "fork"
  | "key"
  | "bundle"
  | "envelope"
  | "vault-attestation"
  | "provenance-inclusion"
  | "disclosure"
  | "key-status"
  | "provider-result"
  | "ivc-epoch";

/** The kinds of object that this release verifies. */
export type Kind = JsonKind | "truth-package";

const RECEIPT = ["payload_hash", "event_hash", "receipt_signature"] as const;
const STREAM = [...RECEIPT, "sequence"] as const;
const WINDOW = ["window_root", "window_seal", "inclusion"] as const;
const CHECKPOINT = ["checkpoint_root", "checkpoint_seal", "note", "witness"] as const;

/** A kind for its list of checks: consistency evidence between anchors has others, and what vaults state has more. */
export type CheckList = Kind | "anchor-consistency" | "provenance-bundle" | "provenance-package";

/** The checks of what vaults state, in a bundle or package. */
const PROVENANCE = [
  "envelope",
  "vault_key",
  "vault_chain",
  "provenance",
  "attestation",
  "assurance",
  "provider",
] as const;

const PORTABLE_RECEIPT = [
  ...RECEIPT,
  "inclusion",
  "window_seal",
  ...CHECKPOINT,
  "policy",
  "anchor",
  "known_checkpoint",
] as const;

const BUNDLE = [
  "manifest",
  ...STREAM,
  ...WINDOW,
  ...CHECKPOINT,
  "window_tiling",
  "completeness",
  "checkpoint_chain",
  "policy",
  "anchor",
  "fork",
  "bundle_seal",
  "known_checkpoint",
] as const;

/** The checks of each kind, beside those that every kind has. */
const OWN_CHECKS: Readonly<Record<CheckList, readonly CheckId[]>> = {
  receipt: RECEIPT,
  "portable-receipt": PORTABLE_RECEIPT,
  stream: STREAM,
  window: WINDOW,
  inclusion: ["inclusion"],
  checkpoint: [...CHECKPOINT, "known_checkpoint"],
  consistency: [...CHECKPOINT, "checkpoint_chain", "consistency", "known_checkpoint"],
  "anchor-consistency": ["anchor", "note", "consistency"],
  witness: ["witness"],
  anchor: ["anchor", "note"],
  fork: ["fork"],
  key: [],
  bundle: BUNDLE,
  "provenance-bundle": [...BUNDLE, ...PROVENANCE],
  "truth-package": [...BUNDLE, "archive", "export"],
  "provenance-package": [...BUNDLE, ...PROVENANCE, "archive", "export"],
  envelope: ["envelope", "vault_key", "provider"],
  "vault-attestation": ["vault_key", "attestation"],
  "provenance-inclusion": ["provenance", "bundle_seal"],
  disclosure: [...PORTABLE_RECEIPT, "envelope", "vault_key", "attestation", "assurance", "disclosure", "provider"],
  "key-status": ["vault_key"],
  "provider-result": ["provider"],
  "ivc-epoch": [...CHECKPOINT, "checkpoint_chain", "ivc", "known_checkpoint"],
};

/**
 * Returns the checks of a kind, in report order; for an unknown kind (null), those that every kind has.
 * `demandsLevel`: whether the trust policy demands a level of assurance, which every kind is then asked for.
 */
export function checksOf(kind: CheckList | null, demandsLevel = false): readonly CheckId[] {
  const own = new Set<CheckId>(["json", "shape", "key_endorsements", "trust", "expectation"]);
  if (demandsLevel) own.add("assurance");
  if (kind !== null) for (const check of OWN_CHECKS[kind]) own.add(check);
  return CHECK_ORDER.filter((check) => own.has(check));
}

/** The lists of a kind that has more than one. */
const OTHER_LISTS: Readonly<Partial<Record<CheckList, Kind>>> = {
  "anchor-consistency": "consistency",
  "provenance-bundle": "bundle",
  "provenance-package": "truth-package",
};

/** A kind that has a check, and the list that has it where the kind's usual one has not. */
export interface KindWithCheck {
  readonly kind: Kind;
  readonly list: CheckList;
}

/**
 * Returns the kinds that have a check, each once; `assurance` is in any other kind too where a level is demanded.
 *
 * @example
 * console.log(kindsWith("ivc").map(({ kind }) => kind)); // [ 'ivc-epoch' ]
 */
export function kindsWith(check: CheckId): readonly KindWithCheck[] {
  const lists = Object.keys(OWN_CHECKS) as CheckList[];
  const found = lists
    .filter((list) => checksOf(list).includes(check))
    .map((list) => ({ kind: OTHER_LISTS[list] ?? (list as Kind), list }));
  return found.filter(({ kind }, index) => found.findIndex((one) => one.kind === kind) === index);
}
