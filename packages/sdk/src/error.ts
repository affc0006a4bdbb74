/**
 * What goes wrong between a client and the service: the service's own answer with its code, or no answer at all.
 */

/** A failed call. `code` is the service's own, or `no_answer` where none came. */
export class SvcError extends Error {
  override readonly name = "SvcError";
  readonly code: string;
  /** The HTTP status; null where no answer came. */
  readonly status: number | null;
  /** The service's `detail` object, or an empty one. */
  readonly detail: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    message: string,
    status: number | null,
    detail: Readonly<Record<string, unknown>> = {},
    cause?: unknown,
  ) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.detail = detail;
  }

  /** Whether the same request, with the same idempotency key, may be sent again and answered otherwise. */
  get retryable(): boolean {
    return this.status === null || this.status === 429 || this.status >= 500;
  }
}
