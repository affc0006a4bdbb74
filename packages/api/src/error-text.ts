/**
 * One error of the service in words: the same in `svc explain`, in docs/api/errors.md and on any page about an error.
 * It has no part of a report's codes, although some have the same name.
 */
import { ERRORS, type ErrorCode } from "./errors.ts";

/** The facts about an error, for programs. */
export type ErrorFacts = {
  readonly code: ErrorCode;
  /** The HTTP status. */
  readonly status: number;
  readonly meaning: string;
  /** Whether the same request, under the same Idempotency-Key, may succeed when it is sent again. */
  readonly retryable: boolean;
  /** The next step of a caller. */
  readonly action: string;
};

/** Every code, in the order of their status. */
export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];

/** Returns the facts about an error. */
export function errorFacts(code: ErrorCode): ErrorFacts {
  const { status, meaning, action } = ERRORS[code];
  // The server that has no such transfer coding will not have it a moment later (RFC 9110 section 15.6.2).
  const retryable = status === 429 || (status >= 500 && status !== 501);
  return { code, status, meaning, retryable, action };
}

/** Returns the text about an error: a paragraph, and under it points with a title each. */
export function errorText(code: ErrorCode) {
  const { status, meaning, retryable, action } = errorFacts(code);
  const again = retryable
    ? `the same request may succeed later${status === 429 ? ", not before the time in Retry-After" : ""}.`
    : "not as it is: the answer stays until the request, or what it is about, has changed.";
  return {
    summary: `Status ${status}. ${meaning}`,
    points: [
      { title: "What to do", text: action },
      { title: "To send it again", text: again },
    ],
  };
}
