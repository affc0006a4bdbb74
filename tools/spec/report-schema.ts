/**
 * The schema of a report (protocol section 16). Core has only its type, since no verifier reads reports; the last lines
 * keep the two equal.
 */
import { CODES, isKind, type Kind, type ProblemCode, type Report } from "@svc/core";
import { CHECK_ORDER } from "../../packages/core/src/report/checks.ts";
import {
  Closed,
  Count,
  KidText,
  OneOf,
  OneOfOrNull,
  Ordinal,
  ServiceTime,
  StreamId,
} from "../../packages/core/src/schema/atoms.ts";
import * as Type from "../../packages/core/src/schema/type.ts";
import { NullableHash } from "../../packages/core/src/schema/vault-atoms.ts";
import { CHECK_LISTS } from "./kinds.ts";

const { Optional, Array: List, Boolean: Flag, String: Text } = Type;
const KINDS = CHECK_LISTS.filter((list): list is Kind => isKind(list));
/** Hashes and key identifiers are plain texts in a report. */
const Kid = Type.Unsafe<string>(KidText);
const Fingerprint = Type.Unsafe<string | null>(NullableHash);
const NullableText = Type.Unsafe<string | null>({ type: ["string", "null"] });

const Subject = Closed({
  id: NullableText,
  stream_id: Optional(StreamId),
  from_seq_no: Optional(Ordinal),
  to_seq_no: Optional(Ordinal),
  // A note's origin can be any key name, of which nothing may be before its stream id.
  origin: Optional(Text()),
  from_received_at: Optional(ServiceTime),
  to_received_at: Optional(ServiceTime),
});

const ProvenanceAssurance = Closed({
  events: Count,
  installations: Count,
  vault_chain: OneOf("complete", "partial", "none"),
  vault_keys: OneOf("pinned", "service-vouched", "none"),
  claimed: Closed({ L0: Count, L1: Count, L2: Count, unknown: Count }),
  effective: Closed({ L0: Count, L1: Count, L2: Count, L3: Count }),
  substantiated_by: OneOf("verifier", "service", "none"),
  key_custody: OneOf("x509", "ceremony", "none"),
  software_root: Flag(),
});

const Assurance = Closed({
  signed: Flag(),
  included: Flag(),
  complete: Flag(),
  witnessed: Closed({ required: Count, valid: Count, pinned: Count }),
  published: OneOf("none", "included", "witnessed"),
  anchored: OneOf("none", "pending", "unpinned", "pinned"),
  redacted: Count,
  provenance: Optional(ProvenanceAssurance),
});

const Signer = Closed({
  kid: Kid,
  fingerprint: Fingerprint,
  role: OneOf(
    "truth-package",
    "bundle",
    "checkpoint",
    "window",
    "receipt",
    "vault",
    "anchor",
    "key-status",
    "provider-policy",
    "result",
    "ivc-epoch",
    "key",
    "note",
    "witness",
  ),
  reached: OneOf("pinned", "endorsed", "none"),
});

const Check = Closed({
  id: OneOf(...CHECK_ORDER),
  status: OneOf("pass", "fail", "not_checked", "cannot_evaluate"),
  count: Optional(Ordinal),
  note: Optional(Text()),
});

const Problem = Closed({
  code: OneOf(...(Object.keys(CODES) as ProblemCode[])),
  path: Text(),
  seq_no: Optional(Ordinal),
  window_no: Optional(Ordinal),
  checkpoint_no: Optional(Ordinal),
  kid: Optional(Text()),
  message: Text(),
  expected: Optional(Text()),
  actual: Optional(Text()),
  action: Text(),
});

/** The report of any verifier about any kind. */
export const ReportSchema = Closed(
  {
    ok: Flag(),
    verdict: OneOf("verified", "rejected", "untrusted"),
    kind: OneOfOrNull(...KINDS),
    subject: Subject,
    verifier: Closed({ name: Text(), version: Text(), kernel_sha256: Fingerprint }),
    assurance: Assurance,
    signers: List(Signer),
    checks: List(Check),
    problems: List(Problem),
    proves: List(Text()),
    does_not_prove: List(Text()),
  },
  { $id: "report" },
);

type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
    : Value;
type Told = DeepReadonly<Type.Static<typeof ReportSchema>>;
const isReport = (told: Told): Report => told;
const isTold = (report: Report): Told => report;
void [isReport, isTold];
