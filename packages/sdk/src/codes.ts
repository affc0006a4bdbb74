/**
 * The codes of a failed call: those of the service, those of the client itself, and those of the verifier for an answer
 * that is false.
 */
import type { ErrorCode as ServiceCode } from "@svc/api";
import type { ProblemCode } from "@svc/core";

export type { ServiceCode };

/**
 * The client's own codes:
 *
 * - `payload_not_json`: a request holds a value that JSON cannot carry unchanged; `detail.problems` names it by its
 *   JSON Pointer. Nothing was sent.
 * - `no_answer`: no answer came, or it came too late.
 * - `unexpected_answer`: the answer is not one of the service's.
 * - `answer_too_large`: an answer has more bytes than `maxAnswerBytes`, and was not read to its end.
 * - `receipt_mismatch`: a receipt differs from the event that was sent, or is another than the one that was asked for.
 * - `receipt_repeated`: a new event was answered with an older receipt.
 * - `receipt_redacted`: a receipt came without its payload, so it cannot be compared with the event. An event whose
 *   payload has been erased gets this answer if it is sent again under its key.
 * - `head_stale`: the head of a stream is older than a receipt that the client has returned.
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
