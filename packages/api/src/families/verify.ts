/**
 * The public verify routes: they take the bare object, and answer 200 with the report for every verdict. The report is
 * core's; its checks and codes are not listed here, because releases add some.
 */
import { atoms, type JsonObject, type Report as ReportValue } from "@svc/core";
import Type from "typebox";
import { contract } from "../contract.ts";
import type { ErrorCode } from "../errors.ts";
import { MAX_VERIFY_BODY_BYTES, MIN_VERIFY_BYTES_PER_SECOND } from "../limits.ts";

/** Any object of evidence. The verifier judges its members: their faults are in the report. */
const Evidence = Type.Unsafe<JsonObject>({ type: "object", description: "an object of evidence, bare" });

const Texts = Type.Array(Type.String());
const OptionalText = Type.Optional(Type.String());
const OptionalNumber = Type.Optional(Type.Integer());

const counts = <const Names extends string>(...names: readonly Names[]) =>
  atoms.Closed(Object.fromEntries(names.map((name) => [name, Type.Integer()])) as Record<Names, Type.TInteger>);

/** The strength of what vaults state; only objects about envelopes have it. */
const Provenance = atoms.Closed({
  events: Type.Integer(),
  installations: Type.Integer(),
  vault_chain: atoms.OneOf("complete", "partial", "none"),
  vault_keys: atoms.OneOf("pinned", "service-vouched", "none"),
  claimed: counts("L0", "L1", "L2", "unknown"),
  effective: counts("L0", "L1", "L2", "L3"),
  substantiated_by: atoms.OneOf("verifier", "service", "none"),
  key_custody: atoms.OneOf("x509", "ceremony", "none"),
  software_root: Type.Boolean(),
});

const Report = Type.Unsafe<ReportValue>(
  atoms.Closed({
    ok: Type.Boolean(),
    verdict: atoms.OneOf("verified", "rejected", "untrusted"),
    kind: Type.Union([Type.String(), Type.Null()]),
    subject: atoms.Closed({
      id: Type.Union([Type.String(), Type.Null()]),
      stream_id: OptionalText,
      from_seq_no: OptionalNumber,
      to_seq_no: OptionalNumber,
      origin: OptionalText,
      from_received_at: OptionalText,
      to_received_at: OptionalText,
    }),
    verifier: atoms.Closed({
      name: Type.String(),
      version: Type.String(),
      kernel_sha256: Type.Union([atoms.Hash, Type.Null()]),
    }),
    assurance: atoms.Closed({
      signed: Type.Boolean(),
      included: Type.Boolean(),
      complete: Type.Boolean(),
      witnessed: atoms.Closed({ required: Type.Integer(), valid: Type.Integer(), pinned: Type.Integer() }),
      published: atoms.OneOf("none", "included", "witnessed"),
      anchored: atoms.OneOf("none", "pending", "unpinned", "pinned"),
      redacted: Type.Integer(),
      provenance: Type.Optional(Provenance),
    }),
    signers: Type.Array(
      atoms.Closed({
        kid: Type.String(),
        fingerprint: Type.Union([atoms.Hash, Type.Null()]),
        role: Type.String(),
        reached: atoms.OneOf("pinned", "endorsed", "none"),
      }),
    ),
    checks: Type.Array(
      atoms.Closed({
        id: Type.String(),
        status: atoms.OneOf("pass", "fail", "not_checked", "cannot_evaluate"),
        count: Type.Optional(Type.Integer()),
        note: OptionalText,
      }),
    ),
    problems: Type.Array(
      atoms.Closed({
        code: Type.String(),
        path: Type.String(),
        seq_no: OptionalNumber,
        window_no: OptionalNumber,
        checkpoint_no: OptionalNumber,
        kid: OptionalText,
        message: Type.String(),
        expected: OptionalText,
        actual: OptionalText,
        action: Type.String(),
      }),
    ),
    proves: Texts,
    does_not_prove: Texts,
  }),
);

const ERRORS_OF_ALL = ["unsupported_object", "object_too_complex", "verifier_busy"] as const;

const verifyAs = <const Path extends string>(path: Path, summary: string, errors: readonly ErrorCode[]) =>
  contract({
    method: "POST",
    path,
    chapter: "verify",
    summary,
    description:
      "The server pins its own keys; the report says by which key an object is trusted. For your own verdict: " +
      "`svc verify`.",
    access: "public",
    body: {
      schema: Evidence,
      maxBytes: MAX_VERIFY_BODY_BYTES,
      minBytesPerSecond: MIN_VERIFY_BYTES_PER_SECOND,
      unparsed: true,
    },
    answer: { status: 200, description: "The report, also where the object is rejected.", schema: Report },
    errors,
  });

const OF_ONE_KIND = [...ERRORS_OF_ALL, "wrong_kind"] as const;
export const verify = verifyAs("/v2/verify", "The verdict on an object of evidence, of whatever kind.", ERRORS_OF_ALL);
export const verifyReceipt = verifyAs("/v2/verify/receipt", "The verdict on a receipt record.", OF_ONE_KIND);
export const verifyProof = verifyAs(
  "/v1/public/verify",
  "The verdict on the proof of an event, as the event log gives it.",
  OF_ONE_KIND,
);
