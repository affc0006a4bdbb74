/** The cases of the independent implementation, for every kind that this release verifies. */
import type { Json } from "../src/index.ts";

/** A case. */
export interface IndependentCase {
  readonly note: string;
  readonly kind: string;
  readonly trust: { readonly [name: string]: Json };
  readonly links?: readonly Json[];
  readonly verdict: string;
  readonly code?: string;
  /** The whole member `assurance.provenance` of the report. */
  readonly assurance_provenance?: Json;
  readonly reading?: string;
  readonly input?: string;
  readonly input_base64?: string;
}

const KINDS = {
  "proofstream/cases": [
    "receipt",
    "portable-receipt",
    "stream",
    "window",
    "inclusion",
    "checkpoint",
    "consistency",
    "witness",
    "anchor",
    "fork",
    "key",
    "bundle",
    "truth-package",
  ],
  "provenance/cases": [
    "envelope",
    "key-status",
    "vault-attestation",
    "disclosure",
    "provider-result",
    "provenance-inclusion",
    "ivc-epoch",
    "bundle",
    "truth-package",
  ],
} as const;

/** The paths of the files, among the vectors. */
export const INDEPENDENT_CASES: readonly string[] = Object.entries(KINDS).flatMap(([folder, kinds]) =>
  kinds.map((kind) => `${folder}/${kind}.jsonl`),
);
