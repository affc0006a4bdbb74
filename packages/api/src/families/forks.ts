/** The routes of fork evidence: anybody hands it in, and it is listed with the stream, or the log, that it is about. */
import { atoms, schemas } from "@svc/core";
import Type from "typebox";
import { contract } from "../contract.ts";
import { MAX_FORK_BODY_BYTES, MIN_VERIFY_BYTES_PER_SECOND } from "../limits.ts";
import { numberedPage, PageOf } from "../pages.ts";

/**
 * The result of handing in fork evidence: the id under which the service keeps it, and whether it knew it before.
 *
 * ```json
 * {
 *   "fork_id": "frk_01m83pvjfat26hr0bf50h6x208", "stream_id": "str_01m83pvjb9dgqtbk125jrgxpxv", "kind": "checkpoint",
 *   "outcome": "kept", "message": "It is kept for good. Bundles that are made from now on carry it, and are rejected."
 * }
 * ```
 */
export const HandedInFork = atoms.Closed({
  fork_id: atoms.ForkId,
  /** Null for evidence about the service's own log. */
  stream_id: Type.Union([atoms.StreamId, Type.Null()]),
  kind: Type.String(),
  /** `known` if evidence of the same contradiction was kept before; `fork_id` is then that of the kept one. */
  outcome: atoms.OneOf("kept", "known"),
  message: Type.String(),
});
export type HandedInFork = Type.Static<typeof HandedInFork>;

export const list = contract({
  method: "GET",
  path: "/v2/streams/{streamId}/forks",
  chapter: "streams",
  summary: "Evidence that this service has signed two histories of a stream, in the order in which it was found.",
  description:
    "Each item verifies as it stands. One is kept where an object that is handed in to be verified contradicts " +
    "what the server holds, as after the restore of a stale backup, and where somebody hands in the evidence " +
    "itself. Bundles of the stream carry it, and are rejected.",
  access: "system",
  query: numberedPage,
  answer: { status: 200, description: "A page of fork evidence.", schema: PageOf(schemas.ForkEvidence) },
  errors: ["stream_forbidden", "stream_not_found"],
});

export const handIn = contract({
  method: "POST",
  path: "/v2/forks",
  chapter: "verify",
  summary: "Takes evidence of a fork, of whatever kind, against this service or a witness of it.",
  description:
    "Evidence that verifies under the service's own keys is kept for good: no route deletes it. It is listed " +
    "with its stream, and bundles that are made from now on carry it, so that verifiers reject them. The service " +
    "gives it its own id and time, and leaves out payloads and whatever no signature covers. The same " +
    "contradiction is kept once. Only so much is kept for one stream: one piece of evidence rejects its bundles " +
    "as surely as a hundred. Evidence of the kind `witness` accuses a witness alone: one piece is kept against " +
    "each, and bundles whose quorum holds without it go without its cosignatures and do not carry the evidence.",
  access: "public",
  body: {
    schema: schemas.ForkEvidence,
    maxBytes: MAX_FORK_BODY_BYTES,
    minBytesPerSecond: MIN_VERIFY_BYTES_PER_SECOND,
    unparsed: true,
  },
  answer: { status: 200, description: "The evidence is kept, now or since before.", schema: HandedInFork },
  errors: [
    "unsupported_object",
    "wrong_kind",
    "object_too_complex",
    "verifier_busy",
    "fork_not_proved",
    "fork_untrusted",
    "fork_foreign",
    "too_many_forks",
  ],
});

export const ofLog = contract({
  method: "GET",
  path: "/v2/forks",
  chapter: "evidence",
  summary: "Evidence that this service has signed two histories of its own log, in the order in which it was found.",
  description: "Such evidence is about no single stream: bundles of every stream carry it.",
  access: "public",
  query: numberedPage,
  answer: { status: 200, description: "A page of fork evidence.", schema: PageOf(schemas.ForkEvidence) },
});
