/**
 * The error that refuses a request. Its code is in the table of packages/api/src/errors.ts; its message says what was
 * wrong, where, and what to do now.
 */
import type { ErrorCode } from "@svc/api";
import type { JsonObject } from "@svc/core";

/** A request that cannot be served, and why. `details` are the members beside `code` and `message` in the body. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: JsonObject;

  constructor(code: ErrorCode, message: string, details: JsonObject = {}) {
    super(message);
    this.name = "ServiceError";
    this.code = code;
    this.details = details;
  }
}
