/** The routes of exports and truth packages (system key; the download takes a ticket). */
import { atoms, schemas } from "@svc/core";
import Type from "typebox";
import { contract, OF_ARCHIVE } from "../contract.ts";
import { MAX_BODY_BYTES, MAX_EXPORT_STREAMS, MAX_VERIFIER_CHARACTERS } from "../limits.ts";
import { namedPage, PageOf } from "../pages.ts";
import { choice, requiredText } from "../parameters.ts";

export const EXPORT_STATES = ["queued", "building", "ready", "failed", "deleted"] as const;
/** The state of an export. `failed` and `deleted` are final; `ready` becomes `deleted` when the package expires. */
export type ExportState = (typeof EXPORT_STATES)[number];

const OrNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Names = (what: string) =>
  Type.Optional(
    Type.Unsafe<readonly string[]>(
      Type.Array(Type.String(), { minItems: 1, maxItems: MAX_EXPORT_STREAMS, description: what }),
    ),
  );
/** A hash from a caller, as plain text. */
const StatedHash = Type.Unsafe<string>({ ...atoms.Hash });

/**
 * The contents of a new export: streams, systems or both.
 *
 * ```json
 * { "streams": ["str_01m83pvjb9dgqtbk125jrgxpxv"], "from_seq_no": 1, "to_seq_no": 2, "payloads": "included" }
 * ```
 */
export const ExportInput = atoms.Closed({
  streams: Names("the streams"),
  /** All of their streams. */
  systems: Names("the systems, all of whose streams are meant"),
  /** Only with one named stream; both ends included. */
  from_seq_no: Type.Optional(atoms.Ordinal),
  to_seq_no: Type.Optional(atoms.Ordinal),
  /** RFC 3339 with an offset: received at this time or later, and before that one. */
  received_from: Type.Optional(atoms.SourceTime),
  received_before: Type.Optional(atoms.SourceTime),
  /** `included` by default. */
  payloads: Type.Optional(atoms.OneOf("included", "redacted")),
});
export type ExportInput = Type.Static<typeof ExportInput>;

/**
 * An export and the facts about its package, which outlive the package.
 *
 * ```json
 * {
 *   "export_id": "exp_01m83pvjgz0q916tdz3b0dsa6j", "state": "ready", "payloads": "included", "events": 2,
 *   "ranges": [{ "stream_id": "str_01m83pvjb9dgqtbk125jrgxpxv", "from_seq_no": 1, "to_seq_no": 2 }],
 *   "created_at": "2026-11-23T08:02:45.407Z", "ready_at": "2026-11-23T08:02:45.636Z",
 *   "expires_at": "2026-11-30T08:02:45.636Z",
 *   "package": {
 *     "file_name": "exp_01m83pvjgz0q916tdz3b0dsa6j.truth.zip", "size_bytes": 9429,
 *     "sha256": "e51d9ccfae0aaaea4920a6a511c3d44a84e4317fbbb1d6d3ce1ad1eccbd680c7",
 *     "manifest_sha256": "7666b9197104fe39e11ae06527843da4cb8e00221b860c555602d4b5c5f9413d", "artifacts": 3,
 *     "generated_event_id": "sev_01m83pvjr45k3z068vjq8864d7"
 *   },
 *   "failure": null, "deletion": null
 * }
 * ```
 */
export const ExportInfo = atoms.Closed({
  export_id: atoms.ExportId,
  state: Type.Unsafe<ExportState>(atoms.OneOf(...EXPORT_STATES)),
  payloads: atoms.OneOf("included", "redacted"),
  events: atoms.Ordinal,
  ranges: Type.Array(
    atoms.Closed({ stream_id: atoms.StreamId, from_seq_no: atoms.Ordinal, to_seq_no: atoms.Ordinal }),
    { minItems: 1 },
  ),
  created_at: atoms.ServiceTime,
  ready_at: OrNull(atoms.ServiceTime),
  expires_at: OrNull(atoms.ServiceTime),
  package: OrNull(
    atoms.Closed({
      file_name: Type.String(),
      size_bytes: atoms.Ordinal,
      sha256: atoms.Hash,
      manifest_sha256: atoms.Hash,
      artifacts: atoms.Ordinal,
      generated_event_id: atoms.EventId,
    }),
  ),
  failure: OrNull(atoms.Closed({ failed_at: atoms.ServiceTime, code: Type.String(), message: Type.String() })),
  deletion: OrNull(
    atoms.Closed({
      deleted_at: atoms.ServiceTime,
      because: atoms.OneOf("requested", "expired", "payload_erased", "lost"),
    }),
  ),
});
export type ExportInfo = Type.Static<typeof ExportInfo>;

/**
 * A ticket for one download.
 *
 * ```json
 * {
 *   "access_id": "tpa_01m83pvjydvab6vx88625yadkp", "ticket": "-0X3rPvOFtoNQrPPfkF2Zj3YHlSamjEwNb-Ep8X7bO0",
 *   "path": "/v1/exports/exp_01m83pvjgz0q916tdz3b0dsa6j/download?ticket=-0X3rPvOFtoNQrPPfkF2Zj3YHlSamjEwNb-Ep8X7bO0",
 *   "expires_at": "2026-11-23T08:07:45.838Z", "file_name": "exp_01m83pvjgz0q916tdz3b0dsa6j.truth.zip",
 *   "size_bytes": 9429, "sha256": "e51d9ccfae0aaaea4920a6a511c3d44a84e4317fbbb1d6d3ce1ad1eccbd680c7",
 *   "challenge": "ff5b178f003a86bbb4a72c4370b8fd09b63e59594df724501e17f2270dcbcf05"
 * }
 * ```
 */
export const DownloadTicket = atoms.Closed({
  access_id: atoms.AccessId,
  ticket: Type.String(),
  path: Type.String({ description: "where the package is, the ticket in it" }),
  expires_at: atoms.ServiceTime,
  file_name: Type.String(),
  size_bytes: atoms.Ordinal,
  sha256: atoms.Hash,
  /** The challenge for a report on the access; null for a package of a release without challenges. */
  challenge: Type.Union([atoms.Hash, Type.Null()], {
    description: "what a report on this access answers; null for a package of a release that gave none",
  }),
});
export type DownloadTicket = Type.Static<typeof DownloadTicket>;

const VerifierText = Type.String({
  pattern: `^[ -~]{1,${MAX_VERIFIER_CHARACTERS}}$`,
  description: `1 to ${MAX_VERIFIER_CHARACTERS} characters of printable ASCII`,
});

/**
 * The body that `svc verify truth-package --report` writes.
 *
 * ```json
 * {
 *   "verifierKind": "svc", "verifierVersion": "0.5.0", "accessId": "tpa_01m83pvjymbxdgh9p5fh129r5j",
 *   "proof": "0bc7fd58b71bb6c4427897f1d444afcdd71c6923f610e212bd6ea10109cbf73a",
 *   "verificationReport": {
 *     "ok": true, "packageSha256": "e51d9ccfae0aaaea4920a6a511c3d44a84e4317fbbb1d6d3ce1ad1eccbd680c7",
 *     "manifestSha256": "7666b9197104fe39e11ae06527843da4cb8e00221b860c555602d4b5c5f9413d", "verifiedArtifacts": 3,
 *     "problems": []
 *   }
 * }
 * ```
 */
export const PackageReport = atoms.Closed({
  verifierKind: VerifierText,
  verifierVersion: VerifierText,
  accessId: atoms.AccessId,
  /** Hex of SHA-256 over the challenge's 64 characters, then the package's bytes: `possessionHasher` computes it. */
  proof: Type.Unsafe<string>({
    ...atoms.Hash,
    description: "SHA-256 over the 64 characters of the challenge and then all bytes of the package",
  }),
  verificationReport: atoms.Closed({
    ok: Type.Boolean(),
    packageSha256: StatedHash,
    manifestSha256: OrNull(StatedHash),
    verifiedArtifacts: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    problems: Type.Unsafe<readonly unknown[]>(Type.Array(Type.Unknown())),
  }),
});
export type PackageReport = Type.Static<typeof PackageReport>;

/**
 * A report that was recorded, with the event of the lifecycle stream.
 *
 * ```json
 * {
 *   "export_id": "exp_01m83pvjgz0q916tdz3b0dsa6j", "access_id": "tpa_01m83pvjymbxdgh9p5fh129r5j",
 *   "verified_at": "2026-11-23T08:02:45.988Z",
 *   "lifecycle_record": {
 *     "stream_event_id": "sev_01m83pvk34t4y54r3r55hj0hy6", "stream_id": "str_01m83pvjr45k3z068vjq8864d6",
 *     "seq_no": 3, "source_ref": "exp_01m83pvjgz0q916tdz3b0dsa6j", "event_type": "truth_package.verified",
 *     "occurred_at": "2026-11-23T08:02:45.988Z", "received_at": "2026-11-23T08:02:45.988Z",
 *     "payload_hash": "98fe64a697d589acdfb4474ae31c0ad4216777380249905d31ea21387ba45d10",
 *     "previous_event_hash": "66bef08d8271cf6ddec818f64b26cb5f28fb400815618e341a4bfd461a238b98",
 *     "event_hash": "370155667f700a91f0e73e15ff0802c5ca1e861a94bbaaac05f195f55d38ea82",
 *     "stream_head_hash": "bd25604ee9c3dec47234c1180b8cba6d24d881c236afaee83f2f2ac8fbab613b",
 *     "receipt": {
 *       "protocol": "SVC-PROOFSTREAM-001", "alg": "Ed25519", "kid": "ed25519-8b7577ba7c31a547",
 *       "signature": "1170a522b0e75fc0e3a8f38e6e9b7f74462c98eaa40c88bde9a7842b1d13c398ed3da3d82896387fdd07e1398b3e2c2165252242270b3c7dc46a42b172c95e00"
 *     },
 *     "payload": {
 *       "access_id": "tpa_01m83pvjymbxdgh9p5fh129r5j",
 *       "actor": { "id": "sys_01m83pvj2xf03hr5y8yyztc73d", "kind": "system" },
 *       "export_id": "exp_01m83pvjgz0q916tdz3b0dsa6j",
 *       "manifest_sha256": "7666b9197104fe39e11ae06527843da4cb8e00221b860c555602d4b5c5f9413d",
 *       "package_sha256": "e51d9ccfae0aaaea4920a6a511c3d44a84e4317fbbb1d6d3ce1ad1eccbd680c7",
 *       "verified_artifacts": 3, "verifier": { "kind": "svc", "version": "0.5.0" }
 *     },
 *     "payload_salt": "d57e6df54cec30fda97354aa641f1d81"
 *   }
 * }
 * ```
 */
export const RecordedVerification = atoms.Closed({
  export_id: atoms.ExportId,
  access_id: atoms.AccessId,
  verified_at: atoms.ServiceTime,
  lifecycle_record: schemas.ReceiptRecord,
});
export type RecordedVerification = Type.Static<typeof RecordedVerification>;

const NOT_YOURS = ["export_forbidden", "export_not_found"] as const;
const NOT_READY = ["export_not_ready", "export_failed", "export_deleted"] as const;
const OF_DOWNLOADS = {
  Range: { description: "One range of bytes, to go on with a download (RFC 9110)." },
  "If-Range": {
    description:
      "The ETag of the answer that broke off: the range is only taken with it. With a new ticket the package's " +
      "SHA-256 between double quotes will do.",
  },
  "User-Agent": { description: "Recorded as a keyed hash." },
  "Sec-Purpose": { description: "`prefetch`, with or without parameters, is refused." },
  Purpose: { description: "The same in browsers that send it in place of `Sec-Purpose`." },
};

export const create = contract({
  method: "POST",
  path: "/v1/exports",
  chapter: "exports",
  summary: "Asks for a truth package: events as a table, with everything that proves them, in one archive.",
  description:
    "Name streams, or systems for all of their streams; narrow one stream to a range of sequence numbers, and " +
    "any to a time of receipt (`received_from` is in it, `received_before` is not). Which events they are is " +
    "settled now, and listed in `ranges`; the package is built as soon as their evidence is there.",
  access: "system",
  action: "export",
  idempotencyKey: "optional",
  body: { schema: ExportInput, maxBytes: MAX_BODY_BYTES },
  answer: { status: 201, description: "The export, queued.", schema: ExportInfo },
  errors: [
    "system_forbidden",
    "stream_forbidden",
    "stream_not_found",
    "timezone_required",
    "range_too_large",
    "export_empty",
    "too_many_exports",
    ...NOT_YOURS,
  ],
});

export const list = contract({
  method: "GET",
  path: "/v1/exports",
  chapter: "exports",
  summary: "The exports of the key's system, in the order in which they were made.",
  access: "system",
  query: { state: choice(EXPORT_STATES, "only exports in this state"), ...namedPage },
  answer: { status: 200, description: "A page of exports.", schema: PageOf(ExportInfo) },
});

export const get = contract({
  method: "GET",
  path: "/v1/exports/{exportId}",
  chapter: "exports",
  summary: "An export, and how far it is.",
  access: "system",
  answer: { status: 200, description: "The export.", schema: ExportInfo },
  errors: NOT_YOURS,
});

export const prepareDownload = contract({
  method: "POST",
  path: "/v1/exports/{exportId}/download/prepare",
  chapter: "exports",
  summary: "Makes a ticket for one download of the package.",
  description: "The ticket is shown once, and is good for one download within minutes.",
  access: "system",
  action: "export",
  answer: { status: 201, description: "The ticket, and the path to download from.", schema: DownloadTicket },
  errors: [...NOT_YOURS, ...NOT_READY],
});

export const download = contract({
  method: "GET",
  path: "/v1/exports/{exportId}/download",
  chapter: "exports",
  summary: "Downloads the package.",
  description:
    "The first request with a ticket is the access: it is recorded in the tenant's lifecycle stream, and " +
    "`SVC-Access-Id` names it. The same ticket is taken again only to go on with that download, with `Range` " +
    "and, in `If-Range`, the `ETag` of its first answer, which is given nowhere else. Each such request is noted " +
    "in the audit log. A request by which a browser only prefetches the link is refused (`prefetch_refused`): it " +
    "uses no ticket and is no access. A package that lacks cosignatures, which a policy declared with " +
    "`when_unmet` `open` allows, has the header `SVC-Evidence-Missing: witness_statements`, and verifiers reject " +
    "it (`witness_quorum_unmet`).",
  access: "ticket",
  query: { ticket: requiredText("the ticket") },
  headers: OF_DOWNLOADS,
  answer: {
    status: 200,
    description: "The archive. Its ETag is its SHA-256, a dot, and what only the answers to this ticket say.",
    schema: Type.String({ format: "binary" }),
    mediaType: "application/zip",
    partial: "The part that Range names.",
  },
  errors: [
    "prefetch_refused",
    "ticket_invalid",
    "ticket_expired",
    "ticket_used",
    "range_not_satisfiable",
    ...NOT_READY,
  ],
});

export const reportVerification = contract({
  method: "POST",
  path: "/v1/exports/{exportId}/truth-package/verify",
  chapter: "exports",
  summary: "Records that a package was verified, by the report of its verifier.",
  description:
    "The body is what `svc verify truth-package --access-id ... --challenge ... --report FILE` writes. It is " +
    "recorded only where it says that all is well, names the hashes and the number of artifacts of the package " +
    "and an access to it, and has the `proof` that the reporter holds the package: the SHA-256 over the 64 " +
    "characters of the ticket's `challenge` and then all bytes of the package. It can still come when the " +
    "package is deleted. The same report again gets the first answer; reports of eight verifiers on one access " +
    "are recorded. A refusal names the places that differ, and never what should be there.",
  access: "system",
  action: "export",
  body: { schema: PackageReport, maxBytes: MAX_BODY_BYTES },
  answer: { status: 201, description: "The record, with the lifecycle event.", schema: RecordedVerification },
  errors: [
    ...NOT_YOURS,
    ...NOT_READY,
    "challenge_missing",
    "report_not_ok",
    "report_mismatch",
    "too_many_verifiers",
    ...OF_ARCHIVE,
  ],
});

export const remove = contract({
  method: "DELETE",
  path: "/v1/exports/{exportId}",
  chapter: "exports",
  summary: "Deletes the package of an export, and ends its downloads.",
  description: "What is known of the package stays, its hashes among it. Deleting it again changes nothing.",
  access: "system",
  action: "export",
  answer: { status: 200, description: "The export, deleted.", schema: ExportInfo },
  errors: NOT_YOURS,
});
