/** What the verify routes take and answer, as schemas. The report is core's; its checks and codes are not listed here, as releases add some. */
import { atoms, type JsonObject, type Report as ReportValue } from "@svc/core";
import Type from "typebox";

/** Any object of evidence. Its members are the verifier's to judge: what is wrong with them is in the report. */
export const Evidence = Type.Unsafe<JsonObject>({ type: "object", description: "an object of evidence, bare" });

const Texts = Type.Array(Type.String());
const OptionalText = Type.Optional(Type.String());
const OptionalNumber = Type.Optional(Type.Integer());

export const Report = Type.Unsafe<ReportValue>(
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
