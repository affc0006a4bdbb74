/** The route that makes audit packs (system key). */
import { atoms, schemas } from "@svc/core";
import Type from "typebox";
import { contract, OF_ARCHIVE } from "../contract.ts";
import { MAX_BODY_BYTES } from "../limits.ts";

/**
 * A range of events to bundle; both ends included.
 *
 * ```json
 * { "stream_id": "str_01m83pvjb9dgqtbk125jrgxpxv", "from_seq_no": 1, "to_seq_no": 2 }
 * ```
 */
export const AuditPackInput = atoms.Closed({
  stream_id: Type.String(),
  from_seq_no: atoms.Ordinal,
  to_seq_no: atoms.Ordinal,
  payloads: Type.Optional(atoms.OneOf("included", "redacted")),
});
export type AuditPackInput = Type.Static<typeof AuditPackInput>;

export const create = contract({
  method: "POST",
  path: "/v2/audit/packs",
  chapter: "streams",
  summary: "A range of a stream as a bundle that verifies without this server.",
  description:
    "The range is extended to whole windows, and to the end of the first witnessed checkpoint over it. What is " +
    "not sealed yet is sealed for it, which takes a moment. Where the witnesses do not cosign in time, the pack " +
    "is refused; a policy that was declared with `when_unmet` `open` lets it go without them instead: then it " +
    "ends with the first checkpoint over the range, has the header `SVC-Evidence-Missing: witness_statements`, " +
    "and verifiers reject it (`witness_quorum_unmet`). Payloads in the archive are compared with their hashes " +
    "first, so that a damaged file is refused under its code. Whatever fails once the answer has begun cuts the " +
    "connection off: a pack is whole only where the transfer ended as HTTP says, and the same request with its " +
    "`Idempotency-Key` gets it again.",
  access: "system",
  action: "create_pack",
  idempotencyKey: "optional",
  body: { schema: AuditPackInput, maxBytes: MAX_BODY_BYTES },
  answer: { status: 201, description: "The bundle, as canonical JSON.", schema: schemas.Bundle },
  errors: ["stream_forbidden", "stream_not_found", "evidence_missing", "range_too_large", "key_busy", ...OF_ARCHIVE],
});
