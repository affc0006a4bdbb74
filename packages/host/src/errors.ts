/**
 * The error that refuses a request. Its code is in the table of packages/api/src/errors.ts, or in one of another
 * family's own; its message says what was wrong, where, and what to do now.
 */
import { type ErrorCode, errorRow, type OwnError } from "@svc/api";
import type { JsonObject } from "@svc/core";

/** A request that cannot be served, and why. `details` are the members beside `code` and `message` in the body. */
export class ServiceError extends Error {
  readonly code: string;
  /** The HTTP status. */
  readonly status: number;
  readonly details: JsonObject;
  /** Its code, or its row in another table than the thin server's. */
  readonly error: ErrorCode | OwnError;

  constructor(error: ErrorCode | OwnError, message: string, details: JsonObject = {}) {
    super(message);
    const { code, status } = errorRow(error);
    this.name = "ServiceError";
    this.code = code;
    this.status = status;
    this.error = error;
    this.details = details;
  }
}
