/**
 * What goes wrong between a client and the service: the service's own answer with its code, no answer at all, or an answer that does not hold.
 */
import type { ForkEvidence, Report } from "@svc/core";
import type { SvcErrorCode } from "./codes.ts";

/** What an error knows beside its code and its message. */
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
  /** The HTTP status; null where no answer came, or nothing was sent. */
  readonly status: number | null;
  /** The service's `detail` object, or an empty one; `problems` for `payload_not_json`. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** How long the service asks to wait, in milliseconds; null where it asks for nothing. */
  readonly retryAfterMs: number | null;
  /**
   * Of a failed write: the key that it was sent under. What may have been recorded is recorded once, if it is sent again under this key. Null for
   * everything else.
   */
  idempotencyKey: string | null = null;
  /** Whether the answer names the request's Idempotency-Key: nothing between has mixed it up with another one then. */
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

  /** Whether the same request, with the same idempotency key, may be sent again and answered otherwise. */
  get retryable(): boolean {
    if (this.code === "payload_not_json") return false;
    return this.status === null || this.status === 429 || this.status >= 500;
  }
}

/** What was found wrong with an answer. */
export interface Untruth {
  readonly code: SvcErrorCode;
  readonly message: string;
  /** The verifier's report, where the verifier found it. */
  readonly report?: Report;
  /** Portable evidence that the service has signed two histories. It convicts the service before everybody; see `verify`, kind `fork`. */
  readonly fork?: ForkEvidence | null;
}

/**
 * An answer that does not hold: it was changed on its way, or the service lies. `code` is a code of the verifier (docs/verdicts.md), or of the
 * client. What was sent may have been recorded. It is never sent again by itself.
 */
export class VerificationError extends SvcError {
  override readonly name = "VerificationError";
  /** What came, parsed. Keep it: with it others can see what you saw. */
  readonly answer: unknown;
  /** The verifier's report; null where the answer contradicts what was sent or seen, and not itself. */
  readonly report: Report | null;
  /** Evidence that the service has signed two histories of the stream; null where there is none. */
  readonly fork: ForkEvidence | null;

  constructor({ code, message, report, fork }: Untruth, answer: unknown) {
    super(code, `${message} The answer is refused. Keep it (\`error.answer\`), and ask whoever runs the service.`, 200);
    this.answer = answer;
    this.report = report ?? null;
    this.fork = fork ?? null;
  }
}
