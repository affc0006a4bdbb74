/**
 * What a failed call says in one word: the codes of the service, those of the client itself, and where an answer was found to be false, those of
 * the verifier.
 */
import type { ErrorCode as ServiceCode } from "@svc/api";
import type { ProblemCode } from "@svc/core";

export type { ServiceCode };

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
