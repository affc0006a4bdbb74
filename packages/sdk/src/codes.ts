/**
 * What a failed call says in one word: the codes of the service, those of the client itself, and where an answer was found to be false, those of
 * the verifier.
 */
import type { ProblemCode } from "@svc/core";

/** What the service refuses requests with; docs/api.md says what each means. */
export type ServiceCode =
  | "request_malformed"
  | "json_malformed"
  | "duplicate_name"
  | "lossy_number"
  | "invalid_unicode"
  | "too_deep"
  | "idempotency_key_required"
  | "idempotency_key_invalid"
  | "unsupported_object"
  | "unauthorized"
  | "system_forbidden"
  | "action_forbidden"
  | "stream_forbidden"
  | "legacy_stream_creation_disabled"
  | "export_forbidden"
  | "ticket_invalid"
  | "stream_class_closed"
  | "route_not_found"
  | "stream_not_found"
  | "stream_empty"
  | "receipt_not_found"
  | "window_not_found"
  | "event_not_in_window"
  | "checkpoint_not_found"
  | "anchor_not_found"
  | "ivc_epoch_not_found"
  | "export_not_found"
  | "policy_not_found"
  | "method_not_allowed"
  | "request_timeout"
  | "idempotency_conflict"
  | "sequence_conflict"
  | "predecessor_missing"
  | "stream_closed"
  | "event_log_stream"
  | "policy_id_taken"
  | "evidence_missing"
  | "export_not_ready"
  | "export_failed"
  | "too_many_exports"
  | "challenge_missing"
  | "too_many_verifiers"
  | "export_deleted"
  | "ticket_expired"
  | "ticket_used"
  | "body_too_large"
  | "object_too_complex"
  | "payload_too_large"
  | "unsupported_media_type"
  | "range_not_satisfiable"
  | "expectation_failed"
  | "invalid_request"
  | "timezone_required"
  | "wrong_kind"
  | "checkpoint_not_earlier"
  | "range_too_large"
  | "export_empty"
  | "report_not_ok"
  | "report_mismatch"
  | "rate_limited"
  | "key_busy"
  | "headers_too_large"
  | "internal_error"
  | "transfer_coding_unsupported"
  | "verifier_busy"
  | "store_unavailable"
  | "store_uncertain"
  | "store_full";

/**
 * What the client says by itself:
 *
 * - `payload_not_json`: a request holds a value that JSON cannot carry as it is; `detail.problems` says which, by its JSON Pointer. Nothing was sent.
 * - `no_answer`: none came, or not in time.
 * - `unexpected_answer`: something else came than the service answers.
 * - `answer_too_large`: an answer has more bytes than `maxAnswerBytes`, and was not read to its end.
 * - `receipt_mismatch`: a receipt says something else than what was sent, or is not the one that was asked for.
 * - `receipt_repeated`: a new event was answered with a receipt from before it.
 * - `receipt_redacted`: a receipt came without its payload, so it cannot be held against what was sent. An event whose payload has been erased
 *   since is answered like this where it is sent again under its key.
 * - `head_stale`: the head of a stream lies behind a receipt that was handed out.
 */
export type ClientCode =
  | "payload_not_json"
  | "no_answer"
  | "unexpected_answer"
  | "answer_too_large"
  | "receipt_mismatch"
  | "receipt_repeated"
  | "receipt_redacted"
  | "head_stale";

/** Any code; a later release of the service may have more. */
export type SvcErrorCode = ServiceCode | ClientCode | ProblemCode | (string & {});
