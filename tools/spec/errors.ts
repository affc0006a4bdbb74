/** The codes of the service's refusals, as its clients need them. */
import { ERRORS, type ErrorCode } from "@svc/api";
import { SvcError } from "../../packages/sdk/src/error.ts";

/** Returns every code with its status, its meaning, its next step, and whether the same request may be sent again. */
export function errors() {
  return {
    errors: Object.fromEntries(
      Object.entries(ERRORS).map(([code, { status, meaning, action }]) => [
        code,
        // The SDK's own client decides: the status is all that a client has for a code of a later release.
        { status, retryable: new SvcError(code as ErrorCode, "", status).retryable, meaning, action },
      ]),
    ),
    retryable_without_answer: new SvcError("no_answer", "", null).retryable,
  };
}
