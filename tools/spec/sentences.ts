/**
 * The sentences of `proves` and `does_not_prove` (protocol section 16), and when a report has each. Core's own
 * functions say them: a table in core, with a name for each sentence, made what a page loads larger than its limit.
 */
import type { Assurance, Kind, Report, Subject } from "@svc/core";
import { describe } from "../../packages/core/src/report/meaning.ts";
import { vaultWords } from "../../packages/core/src/report/vault-words.ts";
import { type Dimension, derive, marker, type Values } from "./derive.ts";
import { CHECK_LISTS } from "./kinds.ts";

const NONE = "none";

const FLAG = ["false", "true"];
const DIMENSIONS: Readonly<Record<string, Dimension>> = {
  kind: { of: "kind; none for null", values: [...CHECK_LISTS.filter((one) => isOwnKind(one)), NONE] },
  verdict: { of: "verdict", values: ["verified", "untrusted", "rejected"] },
  signers: {
    of: "reached if no problem of the check trust is in the report, that is if every signer is trusted",
    values: ["reached", "not_reached"],
  },
  signatures: {
    of:
      "unchecked if a signature could not be checked because nobody gave its key: a signer has the fingerprint " +
      "null, or one of the checks envelope and fork is cannot_evaluate",
    values: ["checked", "unchecked"],
  },
  seals: {
    of: "none if the object has no seal that trust must reach: the count of the check trust is missing",
    values: ["some", NONE],
  },
  id: { of: "subject.id; none for null", values: ["some", NONE] },
  stream_id: { of: "subject.stream_id; none if it is missing", values: ["some", NONE] },
  to_seq_no: { of: "subject.to_seq_no; none if it is missing", values: ["some", NONE] },
  signed: { of: "assurance.signed", values: FLAG },
  included: { of: "assurance.included", values: FLAG },
  redacted: { of: "assurance.redacted", values: ["0", "1", "more"] },
  valid: { of: "assurance.witnessed.valid", values: ["0", "1", "more"] },
  pinned: { of: "assurance.witnessed.pinned", values: ["0", "more"] },
  published: { of: "assurance.published", values: ["none", "included", "witnessed"] },
  anchored: { of: "assurance.anchored", values: ["none", "pending", "unpinned", "pinned"] },
  provenance: { of: "assurance.provenance; none if it is missing", values: ["some", NONE] },
  installations: { of: "assurance.provenance.installations", values: ["1", "more"] },
  vault_chain: { of: "assurance.provenance.vault_chain", values: ["complete", "partial", "none"] },
  vault_keys: { of: "assurance.provenance.vault_keys", values: ["pinned", "service-vouched", "none"] },
  unknown: { of: "assurance.provenance.claimed.unknown", values: ["0", "more"] },
  substantiated_by: { of: "assurance.provenance.substantiated_by", values: ["verifier", "service", "none"] },
  key_custody: { of: "assurance.provenance.key_custody", values: ["x509", "ceremony", "none"] },
  software_root: { of: "assurance.provenance.software_root", values: FLAG },
};

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  from_seq_no: "subject.from_seq_no",
  to_seq_no: "subject.to_seq_no",
  redacted: "assurance.redacted",
  valid: "assurance.witnessed.valid",
  pinned: "assurance.witnessed.pinned",
  installations: "assurance.provenance.installations",
  unknown: "assurance.provenance.claimed.unknown",
  levels:
    "for each level of assurance.provenance.effective that has events, from L0 to L3, its number, a blank, at, a " +
    "blank and the level; joined by a comma and a blank",
};

/** Returns the sentences of both lists in their order, with their conditions. */
export function sentences() {
  const values = Object.fromEntries(Object.entries(DIMENSIONS).map(([name, dimension]) => [name, dimension.values]));
  return {
    dimensions: DIMENSIONS,
    placeholders: PLACEHOLDERS,
    proves: derive(values, (asked) => said(asked, "proves")),
    does_not_prove: derive(values, (asked) => said(asked, "does_not_prove")),
  };
}

/** Returns what core says for such values, with placeholders. */
function said(asked: Values, list: "proves" | "does_not_prove"): string[] {
  const kind = asked.kind === NONE ? null : (asked.kind as Kind);
  const input = {
    signaturesMissing: asked.signatures === "unchecked",
    reachesSigners: asked.signers === "reached",
    isUnsigned: asked.seals === NONE,
    words: vaultWords,
  };
  const texts = describe(asked.verdict as Report["verdict"], kind, subjectOf(asked), assuranceOf(asked), input)[list];
  // Numbers that an object of the kind always has are asked for as missing too.
  return texts.map((text) => text.replaceAll("undefined", "{to_seq_no}").replace("{L1} at L1", "{levels}"));
}

function subjectOf({ id, stream_id, to_seq_no }: Values): Subject {
  return {
    id: id === NONE ? null : "",
    from_seq_no: marker("from_seq_no"),
    ...(stream_id === NONE ? {} : { stream_id: "" }),
    ...(to_seq_no === NONE ? {} : { to_seq_no: marker("to_seq_no") }),
  };
}

function assuranceOf(asked: Values): Assurance {
  const count = (name: string) => (asked[name] === "more" ? marker(name) : Number(asked[name]));
  const { signed, included, published, anchored, provenance, vault_chain, vault_keys, substantiated_by, key_custody } =
    asked;
  const vaults = {
    events: 7,
    installations: count("installations"),
    claimed: { L0: 0, L1: 0, L2: 0, unknown: count("unknown") },
    effective: { L0: 0, L1: marker("L1"), L2: 0, L3: 0 },
    software_root: asked.software_root === "true",
    ...{ vault_chain, vault_keys, substantiated_by, key_custody },
  } as Assurance["provenance"];
  return {
    signed: signed === "true",
    included: included === "true",
    complete: false,
    witnessed: { required: 0, valid: count("valid"), pinned: count("pinned") },
    redacted: count("redacted"),
    ...{ published, anchored },
    // A lone result says nothing of envelopes.
    ...(provenance === NONE || asked.kind === "provider-result" ? {} : { provenance: vaults }),
  } as Assurance;
}

function isOwnKind(list: string): boolean {
  return !["anchor-consistency", "provenance-bundle", "provenance-package"].includes(list);
}
