/**
 * The errors between a client and the service: the service's own answer with its code, a missing answer, or an answer
 * that does not hold.
 */
import type { ForkEvidence, Report } from "@svc/core";
import type { SvcErrorCode } from "./codes.ts";

/** The facts of an error beside its code and message. */
export interface SvcErrorFacts {
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
  readonly retryAfterMs?: number | null;
  readonly namesKey?: boolean;
}

/**
 * A failed call. `code` is the service's own, or one of the client's (`ClientCode`).
 *
 * @example
 * const error = await stream.append({ ...event, occurred_at: "yesterday" }).catch((reason) => reason);
 * if (error instanceof SvcError) console.log(error.code, error.status, error.retryable); // invalid_request 422 false
 */
export class SvcError extends Error {
  override readonly name: string = "SvcError";
  readonly code: SvcErrorCode;
  /** The HTTP status; null if no answer came, or nothing was sent. */
  readonly status: number | null;
  /** The service's `detail` object, or an empty one; `problems` for `payload_not_json`. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** How long the service asks to wait, in milliseconds; null if it does not ask. */
  readonly retryAfterMs: number | null;
  /**
   * The key of a failed write; null for other calls. The service may have recorded the request: sent again under this
   * key, it is recorded once.
   */
  idempotencyKey: string | null = null;
  /**
   * Whether the answer names the request's Idempotency-Key, so that nothing between has confused it with another
   * answer.
   */
  readonly namesKey: boolean;
  /** How often the request had been sent when it failed. */
  attempts = 1;

  constructor(code: SvcErrorCode, message: string, status: number | null, facts: SvcErrorFacts = {}) {
    super(message, { cause: facts.cause });
    this.code = code;
    this.status = status;
    this.detail = facts.detail ?? {};
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.namesKey = facts.namesKey ?? false;
  }

  /** Whether the same request, with the same idempotency key, may be sent again and succeed. */
  get retryable(): boolean {
    if (this.code === "payload_not_json") return false;
    // A server without the means for a request (501) lacks them a moment later too (RFC 9110 section 15.6.2).
    return this.status === null || this.status === 429 || (this.status >= 500 && this.status !== 501);
  }
}

const REFUSED =
  "The answer is refused. If it is about an event that you sent, that event may be recorded: do not send it as a " +
  "new one.";

/** The fault of an answer. */
export interface Untruth {
  readonly code: SvcErrorCode;
  readonly message: string;
  /** The verifier's report, if the verifier found the fault. */
  readonly report?: Report;
  /**
   * Portable evidence that the service has signed two histories. It convicts the service before everybody; see
   * `verify`, kind `fork`.
   */
  readonly fork?: ForkEvidence | null;
}

/**
 * An answer that does not hold: somebody changed it on its way, or the service lies. `code` is a code of the verifier
 * (docs/verdicts.md), or of the client. The service may have recorded the request. The client never sends it again by
 * itself.
 */
export class VerificationError extends SvcError {
  override readonly name = "VerificationError";
  /** The answer, parsed. Keep it: with it others can see what you saw. */
  readonly answer: unknown;
  /** The verifier's report; null if the answer contradicts what was sent or seen, but not itself. */
  readonly report: Report | null;
  /** Evidence that the service has signed two histories of the stream, or null. */
  readonly fork: ForkEvidence | null;

  constructor({ code, message, report, fork }: Untruth, answer: unknown) {
    super(code, `${message} ${REFUSED} Keep the answer (\`error.answer\`), and ask the operator of the service.`, 200);
    this.answer = answer;
    this.report = report ?? null;
    this.fork = fork ?? null;
  }
}
