/**
 * Every error of the server: its code, its HTTP status and its meaning. Codes are stable, one cause each. The body is
 * always `{"detail": {"code", "message", ...}}`; a message says what was wrong, where, and what to do next.
 */
export const ERRORS = {
  request_malformed: { status: 400, meaning: "What was sent is no HTTP request, or not a whole one." },
  json_malformed: { status: 400, meaning: "The body is not one JSON text." },
  duplicate_name: { status: 400, meaning: "A member name stands twice in one object." },
  lossy_number: { status: 400, meaning: "A number cannot be carried exactly by a double." },
  invalid_unicode: { status: 400, meaning: "The body is not well-formed UTF-8, or a string holds a lone surrogate." },
  too_deep: { status: 400, meaning: "The body nests deeper than 64, or a payload deeper than 32." },
  idempotency_key_required: { status: 400, meaning: "The route needs an Idempotency-Key header." },
  idempotency_key_invalid: { status: 400, meaning: "The Idempotency-Key is not 1 to 255 visible ASCII characters." },
  unsupported_object: { status: 400, meaning: "The body is of no kind of evidence that this server can verify." },
  unauthorized: { status: 401, meaning: "The credential is missing, wrong, expired or revoked." },
  system_forbidden: { status: 403, meaning: "The key does not belong to the system that the request names." },
  action_forbidden: { status: 403, meaning: "The key is not allowed to do this." },
  stream_forbidden: { status: 403, meaning: "The stream belongs to another system of the same tenant." },
  legacy_stream_creation_disabled: { status: 403, meaning: "This deployment no longer makes streams of class legacy." },
  export_forbidden: {
    status: 403,
    meaning: "The export belongs to another system of the same tenant, or holds streams that the key is kept from.",
  },
  ticket_invalid: { status: 403, meaning: "The ticket is none for this export." },
  stream_class_closed: {
    status: 403,
    meaning: "The stream's class is the service's own to write: nothing is appended or erased by request.",
  },
  route_not_found: { status: 404, meaning: "No such route." },
  stream_not_found: { status: 404, meaning: "No such stream, or it is not yours to see." },
  stream_empty: { status: 404, meaning: "The stream exists and has no event yet, so it has no head." },
  receipt_not_found: { status: 404, meaning: "No such event, or it is not yours to see." },
  window_not_found: { status: 404, meaning: "No such window." },
  event_not_in_window: { status: 404, meaning: "The window does not hold that event." },
  checkpoint_not_found: { status: 404, meaning: "No such checkpoint." },
  anchor_not_found: { status: 404, meaning: "No such anchor, or none has been published yet." },
  checkpoint_not_in_epoch: { status: 404, meaning: "The epoch of the service log covers no such checkpoint." },
  ivc_epoch_not_found: { status: 404, meaning: "No such IVC epoch." },
  export_not_found: { status: 404, meaning: "No such export, or it is not yours to see." },
  policy_not_found: { status: 404, meaning: "No such policy, or no such version of it." },
  method_not_allowed: { status: 405, meaning: "The path exists, and not with that method." },
  request_timeout: { status: 408, meaning: "The request was not whole in time." },
  idempotency_conflict: { status: 409, meaning: "The Idempotency-Key has been used with another request." },
  sequence_conflict: { status: 409, meaning: "The head of the stream is not the one that If-Head-Match names." },
  predecessor_missing: { status: 409, meaning: "The request that after_key names has recorded nothing in the stream." },
  stream_closed: { status: 409, meaning: "The stream takes no more events: its database had lost some." },
  event_log_stream: {
    status: 409,
    meaning: "The stream is the event log of a system, and takes events through POST /v1/sdk/events only.",
  },
  policy_id_taken: { status: 409, meaning: "The policy id is built in, and cannot be declared." },
  evidence_missing: { status: 409, meaning: "The range does not have all its evidence yet." },
  export_not_ready: { status: 409, meaning: "The package of the export has not been built yet." },
  export_failed: { status: 409, meaning: "The package of the export could not be built." },
  too_many_exports: { status: 409, meaning: "The system, or its tenant, has as many exports as are kept at a time." },
  challenge_missing: {
    status: 409,
    meaning: "The package was built by a release that gave no challenge, so that nobody can show that they hold it.",
  },
  too_many_forks: {
    status: 409,
    meaning: "As much evidence of forks of the stream is kept as is taken: its bundles are rejected already.",
  },
  too_many_verifiers: { status: 409, meaning: "Reports of as many verifiers on the access are recorded as are taken." },
  export_deleted: { status: 410, meaning: "The package of the export is no longer here." },
  ticket_expired: { status: 410, meaning: "The time of the ticket is over." },
  ticket_used: { status: 410, meaning: "The ticket has been used, and the request does not go on with its download." },
  body_too_large: { status: 413, meaning: "The body is larger than the route takes." },
  object_too_complex: {
    status: 413,
    meaning: "The object needs more memory or time to verify than the server gives to one.",
  },
  payload_too_large: { status: 413, meaning: "A payload is larger than 256 KiB in canonical form." },
  unsupported_media_type: { status: 415, meaning: "The body is not sent as plain application/json." },
  range_not_satisfiable: { status: 416, meaning: "The Range begins behind the end of the package." },
  expectation_failed: { status: 417, meaning: "The Expect header asks for something else than 100-continue." },
  invalid_request: { status: 422, meaning: "The request breaks the route's contract." },
  timezone_required: { status: 422, meaning: "An occurred_at has no offset from UTC." },
  wrong_kind: { status: 422, meaning: "The object is of another kind than the route verifies." },
  fork_not_proved: { status: 422, meaning: "The evidence of a fork does not hold." },
  fork_untrusted: {
    status: 422,
    meaning: "The evidence of a fork holds, and not under keys of this service or of a witness of the stream.",
  },
  fork_foreign: { status: 422, meaning: "The evidence of a fork is about a stream or a log of another service." },
  checkpoint_not_earlier: {
    status: 422,
    meaning: "The two checkpoints are not an earlier and a later one of one stream.",
  },
  witness_keys_missing: { status: 422, meaning: "The witness policy is independent, and lists no witness." },
  witness_threshold_unreachable: {
    status: 422,
    meaning: "The witness policy asks for more cosignatures than it lists witnesses.",
  },
  witness_key_repeated: { status: 422, meaning: "A public key stands twice in the witness policy." },
  witness_name_repeated: { status: 422, meaning: "Two witnesses of the witness policy sign under one name." },
  witness_epochs_overlap: {
    status: 422,
    meaning: "Two keys of one witness have one epoch, or times that overlap or are not in the order of their epochs.",
  },
  witness_validity_backwards: { status: 422, meaning: "The time of a witness's key ends before it begins." },
  witness_not_managed: {
    status: 422,
    meaning: "A key is said to be the service's own witness, and is another key or has another name.",
  },
  witness_not_independent: {
    status: 422,
    meaning:
      "A key is one by which this service seals, or its own witness where the witness policy counts it as an outside one.",
  },
  anchor_not_earlier: { status: 422, meaning: "The two anchors are not an earlier and a later epoch." },
  range_too_large: { status: 422, meaning: "The range holds more events than one audit pack or export may." },
  export_empty: { status: 422, meaning: "No event is in what the export is asked for." },
  report_not_ok: { status: 422, meaning: "The report says that the package did not verify." },
  report_mismatch: {
    status: 422,
    meaning:
      "The report is about another package or access than the export's, or does not show that the package is held.",
  },
  rate_limited: {
    status: 429,
    meaning: "Too many requests of one key, or from one address. Retry-After says when to try again.",
  },
  key_busy: {
    status: 429,
    meaning: "The key has as many packs, or large bodies, under way as it may. Retry-After says when to try again.",
  },
  headers_too_large: { status: 431, meaning: "The request line and the headers are longer than the server reads." },
  internal_error: { status: 500, meaning: "The server failed. Its log has the request id." },
  archive_damaged: {
    status: 500,
    meaning: "The file of the archive that holds a payload is not the one that was written.",
  },
  transfer_coding_unsupported: {
    status: 501,
    meaning: "The body is sent in another transfer coding than chunked.",
  },
  verifier_busy: {
    status: 503,
    meaning: "Other large objects are being verified. Retry-After says when to try again.",
  },
  store_unavailable: {
    status: 503,
    meaning: "The database could not be read or written, or not in time. Nothing was recorded; try again.",
  },
  store_uncertain: {
    status: 503,
    meaning: "The disk failed: the request may have been recorded. Send it again with its Idempotency-Key.",
  },
  store_full: {
    status: 503,
    meaning: "The disk behind the database is full. Nothing was recorded; reading goes on.",
  },
  archive_unavailable: {
    status: 503,
    meaning: "The file of the archive that holds a payload cannot be read. Nothing is lost as long as it exists.",
  },
} as const satisfies Record<string, { status: number; meaning: string }>;

/** The codes of the service's refusals; docs/api.md says what each means. */
export type ErrorCode = keyof typeof ERRORS;
