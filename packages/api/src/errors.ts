/**
 * Every error of the server: its code, its HTTP status, its meaning, and the next step of a caller. Codes are stable,
 * one cause each. The body is always `{"detail": {"code", "message", ...}}`; a message says what was wrong, where, and
 * what to do next in that case. The file is long because it is one table, an entry for each error.
 */
export const ERRORS = {
  request_malformed: {
    status: 400,
    meaning: "What was sent is no HTTP request, or not a whole one.",
    action: "Send the request with an ordinary HTTP client, and look for a proxy that changes or cuts it.",
  },
  json_malformed: {
    status: 400,
    meaning: "The body is not one JSON text.",
    action: "Look at the byte that the message names, and send the body as a JSON library writes it.",
  },
  duplicate_name: {
    status: 400,
    meaning: "A member name appears twice in one object.",
    action: "Send each name once.",
  },
  lossy_number: {
    status: 400,
    meaning: "A number cannot be carried exactly by a double.",
    action: "Send the number as a string.",
  },
  invalid_unicode: {
    status: 400,
    meaning: "The body is not well-formed UTF-8, or a string holds a lone surrogate.",
    action: "Send the body as UTF-8, and no text that was cut in the middle of a character.",
  },
  too_deep: {
    status: 400,
    meaning: "The body nests deeper than 64, or a payload deeper than 32.",
    action: "Send a flatter value.",
  },
  idempotency_key_required: {
    status: 400,
    meaning: "The route needs an Idempotency-Key header.",
    action: "Choose a text that names this request, and send it in the header, so that a retry records nothing twice.",
  },
  idempotency_key_invalid: {
    status: 400,
    meaning: "The Idempotency-Key is not 1 to 255 visible ASCII characters.",
    action: "Choose a key of 1 to 255 visible ASCII characters, without blanks.",
  },
  unsupported_object: {
    status: 400,
    meaning: "The body is of no kind of evidence that this server can verify.",
    action:
      "Check that it is the object you meant, and send the whole of it; a server of a later release may know its kind.",
  },
  unauthorized: {
    status: 401,
    meaning: "The credential is missing, wrong, expired or revoked.",
    action:
      "Check that the Authorization header has the whole key, without a blank or a line break behind it; ask the " +
      "operator for another key if this one has ended.",
  },
  system_forbidden: {
    status: 403,
    meaning: "The key does not belong to the system that the request names.",
    action: "Use a key of the system that the request names.",
  },
  action_forbidden: {
    status: 403,
    meaning: "The key is not allowed to do this.",
    action: "Use a key that may do this, or ask the operator for one.",
  },
  stream_forbidden: {
    status: 403,
    meaning: "The stream belongs to another system of the same tenant.",
    action: "Use a key of the system that the stream belongs to.",
  },
  legacy_stream_creation_disabled: {
    status: 403,
    meaning: "This deployment no longer makes streams of class legacy.",
    action: "Make a stream of another class; existing streams of class legacy go on taking events.",
  },
  export_forbidden: {
    status: 403,
    meaning: "The export belongs to another system of the same tenant, or holds streams that the key is kept from.",
    action: "Use a key of the system that the export belongs to, and that may read all of its streams.",
  },
  prefetch_refused: {
    status: 403,
    meaning: "The request only prefetches a download, by its header Sec-Purpose or Purpose. The ticket was not used.",
    action: "Follow the link itself: that is the download.",
  },
  ticket_invalid: {
    status: 403,
    meaning: "The ticket is not for this export.",
    action: "Prepare a download of this export, and use the path that the answer gives, unchanged.",
  },
  stream_class_closed: {
    status: 403,
    meaning: "The stream's class is the service's own to write: nothing is appended or erased by request.",
    action: "Record your own events in a stream of another class; this one can be read.",
  },
  route_not_found: {
    status: 404,
    meaning: "No such route.",
    action:
      "Compare method and path with the list of routes, and the version at the path's beginning with that of the " +
      "server.",
  },
  stream_not_found: {
    status: 404,
    meaning: "No such stream, or it is not yours to see.",
    action: "Compare the id with the answer that made the stream, and check that the key belongs to the same tenant.",
  },
  stream_empty: {
    status: 404,
    meaning: "The stream exists and has no event yet, so it has no head.",
    action: "Append an event first.",
  },
  receipt_not_found: {
    status: 404,
    meaning: "No such event, or it is not yours to see.",
    action: "Compare the id with the receipt that you have, and check that the key may see its stream.",
  },
  window_not_found: {
    status: 404,
    meaning: "No such window.",
    action: "Compare the id; an event that is not sealed yet has no window.",
  },
  event_not_in_window: {
    status: 404,
    meaning: "The window does not hold that event.",
    action: "Ask for the window that the event's own proof names.",
  },
  checkpoint_not_found: {
    status: 404,
    meaning: "No such checkpoint.",
    action: "Compare the id or the number with the list of the stream's checkpoints.",
  },
  anchor_not_found: {
    status: 404,
    meaning: "No such anchor, or none has been published yet.",
    action: "Compare the id with the list of anchors, or ask again once one has been published.",
  },
  checkpoint_not_in_epoch: {
    status: 404,
    meaning: "The epoch of the service log covers no such checkpoint.",
    action: "Ask for a later epoch: an epoch covers the checkpoints that were there before it.",
  },
  ivc_epoch_not_found: {
    status: 404,
    meaning: "No such IVC epoch.",
    action: "Compare the id with the list of the stream's epochs.",
  },
  export_not_found: {
    status: 404,
    meaning: "No such export, or it is not yours to see.",
    action: "Compare the id with the answer that made the export, and check that the key may see it.",
  },
  policy_not_found: {
    status: 404,
    meaning: "No such policy, or no such version of it.",
    action: "Compare the id and the version, or declare the policy first.",
  },
  method_not_allowed: {
    status: 405,
    meaning: "The path exists, and not with that method.",
    action: "Use one of the methods that the Allow header names.",
  },
  request_timeout: {
    status: 408,
    meaning: "The request was not whole in time.",
    action: "Send the whole request sooner: over a better connection, or in smaller parts.",
  },
  idempotency_conflict: {
    status: 409,
    meaning: "The Idempotency-Key has been used with another request.",
    action: "Repeat the first request unchanged, or use a new key for a new request.",
  },
  sequence_conflict: {
    status: 409,
    meaning: "The head of the stream is not the one that If-Head-Match names.",
    action: "Read the head of the stream, and decide again whether to append.",
  },
  predecessor_missing: {
    status: 409,
    meaning: "The request that after_key names has recorded nothing in the stream.",
    action: "Send the request that after_key names first, then this one again.",
  },
  stream_closed: {
    status: 409,
    meaning: "The stream takes no more events: its database had lost some.",
    action: "Record further events in a new stream; ask the operator what was lost, and keep your receipts.",
  },
  event_log_stream: {
    status: 409,
    meaning: "The stream is the event log of a system, and takes events through POST /v1/sdk/events only.",
    action: "Send the event to POST /v1/sdk/events, or to a stream that you made.",
  },
  policy_id_taken: {
    status: 409,
    meaning: "The policy id is built in, and cannot be declared.",
    action: "Choose another id.",
  },
  evidence_missing: {
    status: 409,
    meaning: "The range does not have all its evidence yet.",
    action: "Ask for a range that ends at the last sealed event or before it, or ask again once the range is sealed.",
  },
  export_not_ready: {
    status: 409,
    meaning: "The package of the export has not been built yet.",
    action: "Ask for the state of the export until its package is built, then for the package.",
  },
  export_failed: {
    status: 409,
    meaning: "The package of the export could not be built.",
    action: "Ask for a new export; if that fails too, tell the operator, whose log has the reason.",
  },
  too_many_exports: {
    status: 409,
    meaning: "The system, or its tenant, has as many exports as are kept at a time.",
    action: "Wait until one is done, or delete one that you no longer need.",
  },
  challenge_missing: {
    status: 409,
    meaning: "The package was built by a release that gave no challenge, so that nobody can show that they hold it.",
    action: "Ask for a new export, and report on that one.",
  },
  too_many_forks: {
    status: 409,
    meaning: "As much evidence of forks of the stream is kept as is taken: its bundles are rejected already.",
    action: "Keep your evidence, and show it to those who rely on the stream: the service needs no more of it.",
  },
  too_many_verifiers: {
    status: 409,
    meaning: "Reports of as many verifiers on the access are recorded as are taken.",
    action: "Download the package again, and report on that access.",
  },
  export_deleted: {
    status: 410,
    meaning: "The package of the export is no longer here.",
    action: "Ask for a new export.",
  },
  ticket_expired: {
    status: 410,
    meaning: "The time of the ticket is over.",
    action: "Prepare another download.",
  },
  ticket_used: {
    status: 410,
    meaning: "The ticket has been used, and the request does not go on with its download.",
    action: "Send Range and If-Range to go on with the download of this ticket, or prepare another one.",
  },
  body_too_large: {
    status: 413,
    meaning: "The body is larger than the route takes.",
    action: "Send the body in smaller parts.",
  },
  object_too_complex: {
    status: 413,
    meaning: "The object needs more memory or time to verify than the server gives to one.",
    action: "Verify it with svc verify, which has no such bound.",
  },
  payload_too_large: {
    status: 413,
    meaning: "A payload is larger than 256 KiB in canonical form.",
    action: "Record a hash of the large part, and keep the part itself elsewhere.",
  },
  unsupported_media_type: {
    status: 415,
    meaning: "The body is not sent as plain application/json.",
    action: "Send the header Content-Type: application/json, without a Content-Encoding.",
  },
  range_not_satisfiable: {
    status: 416,
    meaning: "The Range begins behind the end of the package.",
    action: "Compare what you have with the length of the package: the download may be whole already.",
  },
  expectation_failed: {
    status: 417,
    meaning: "The Expect header asks for something else than 100-continue.",
    action: "Send Expect: 100-continue, or no such header.",
  },
  invalid_request: {
    status: 422,
    meaning: "The request breaks the route's contract.",
    action: "Correct what each entry of problems names, by the place in its path.",
  },
  timezone_required: {
    status: 422,
    meaning: "An occurred_at has no offset from UTC.",
    action: "Send the time with its offset, as 2026-03-01T10:15:30+01:00, or with Z.",
  },
  wrong_kind: {
    status: 422,
    meaning: "The object is of another kind than the route verifies.",
    action: "Send the object to the route of its kind, or to POST /v2/verify, which takes every kind.",
  },
  fork_not_proved: {
    status: 422,
    meaning: "The evidence of a fork does not hold.",
    action: "Verify the evidence with svc forks verify, which says what does not hold.",
  },
  fork_untrusted: {
    status: 422,
    meaning: "The evidence of a fork holds, and not under keys of this service or of a witness of the stream.",
    action: "Check which service or witness signed the two sides, and hand the evidence in there.",
  },
  fork_foreign: {
    status: 422,
    meaning: "The evidence of a fork is about a stream or a log of another service.",
    action: "Hand the evidence in at the service that it is about.",
  },
  checkpoint_not_earlier: {
    status: 422,
    meaning: "The two checkpoints are not an earlier and a later one of one stream.",
    action: "Name the earlier checkpoint first, and both of the same stream.",
  },
  witness_keys_missing: {
    status: 422,
    meaning: "The witness policy is independent, and lists no witness.",
    action: "List at least one witness with its key, or choose another mode.",
  },
  witness_threshold_unreachable: {
    status: 422,
    meaning: "The witness policy asks for more cosignatures than it lists witnesses.",
    action: "Lower the threshold, or list more witnesses.",
  },
  witness_key_repeated: {
    status: 422,
    meaning: "A public key appears twice in the witness policy.",
    action: "List each key once.",
  },
  witness_name_repeated: {
    status: 422,
    meaning: "Two witnesses of the witness policy sign under one name.",
    action: "Give each witness the name that it signs under.",
  },
  witness_epochs_overlap: {
    status: 422,
    meaning: "Two keys of one witness have one epoch, or times that overlap or are not in the order of their epochs.",
    action: "Number the keys of a witness in the order of their times, and end each before the next one begins.",
  },
  witness_validity_backwards: {
    status: 422,
    meaning: "The time of a witness's key ends before it begins.",
    action: "Correct the two times: valid_from comes before valid_to.",
  },
  witness_not_managed: {
    status: 422,
    meaning: "A key is said to be the service's own witness, and is another key or has another name.",
    action: "Leave managed out for witnesses of others, or give the name and the key of the service's own one.",
  },
  witness_not_independent: {
    status: 422,
    meaning:
      "A key is one by which this service seals, or its own witness where the witness policy counts it as an " +
      "outside one.",
    action: "Take the key out, or say that it is managed, in mode managed-shadow.",
  },
  anchor_not_earlier: {
    status: 422,
    meaning: "The two anchors are not an earlier and a later epoch.",
    action: "Name the earlier epoch first.",
  },
  range_too_large: {
    status: 422,
    meaning: "The range holds more events than one audit pack or export may.",
    action: "Ask for several smaller ranges, which join without a gap.",
  },
  export_empty: {
    status: 422,
    meaning: "No event is in what the export is asked for.",
    action: "Widen the range, or export when there are events.",
  },
  report_not_ok: {
    status: 422,
    meaning: "The report says that the package did not verify.",
    action: "If the file is the one that you downloaded, keep it with the report, and tell the operator.",
  },
  report_mismatch: {
    status: 422,
    meaning:
      "The report is about another package or access than the export's, or does not show that the package is held.",
    action:
      "Verify the file that you downloaded, with the access id and the challenge of its ticket, and send that report.",
  },
  rate_limited: {
    status: 429,
    meaning: "Too many requests of one key, or from one address. Retry-After says when to try again.",
    action: "Wait as long as Retry-After says, then send the same request; send several events in one request.",
  },
  key_busy: {
    status: 429,
    meaning: "The key has as many packs, or large bodies, under way as it may. Retry-After says when to try again.",
    action: "Wait as long as Retry-After says, then send the same request; send fewer of them at once.",
  },
  headers_too_large: {
    status: 431,
    meaning: "The request line and the headers are longer than the server reads.",
    action: "Send fewer or shorter headers, and a shorter query.",
  },
  internal_error: {
    status: 500,
    meaning: "The server failed. Its log has the request id.",
    action: "Send the same request again; if it fails again, give the operator the request id.",
  },
  archive_damaged: {
    status: 500,
    meaning: "The file of the archive that holds a payload is not the one that was written.",
    action: "Tell the operator to put the original file of the archive back; keep your receipts.",
  },
  transfer_coding_unsupported: {
    status: 501,
    meaning: "The body is sent in another transfer coding than chunked.",
    action: "Send Transfer-Encoding: chunked, or a Content-Length.",
  },
  verifier_busy: {
    status: 503,
    meaning: "Other large objects are being verified. Retry-After says when to try again.",
    action: "Wait as long as Retry-After says, then send it again; svc verify checks it on your own machine.",
  },
  store_unavailable: {
    status: 503,
    meaning: "The database could not be read or written, or not in time. Nothing was recorded; try again.",
    action: "Send the same request again; if it goes on, tell the operator.",
  },
  store_uncertain: {
    status: 503,
    meaning: "The disk failed: the request may have been recorded. Send it again with its Idempotency-Key.",
    action: "Send the same request again under its Idempotency-Key: it is recorded once.",
  },
  store_full: {
    status: 503,
    meaning: "The disk behind the database is full. Nothing was recorded; reading goes on.",
    action: "Tell the operator to make room, then send the same request again.",
  },
  archive_unavailable: {
    status: 503,
    meaning: "The file of the archive that holds a payload cannot be read. Nothing is lost as long as it exists.",
    action: "Tell the operator to bring the folder of the archive back, then ask again.",
  },
} as const satisfies Record<string, { status: number; meaning: string; action: string }>;

/** The codes of the service's refusals; docs/api/errors.md says what each means. */
export type ErrorCode = keyof typeof ERRORS;
