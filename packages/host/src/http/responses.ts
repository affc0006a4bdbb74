/** Answers: JSON with its length, and errors in their one form. */
import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { ERRORS } from "@svc/api";
import { ServiceError } from "../errors.ts";
import { StoreFull, StoreUnavailable, StoreUncertain, WriteConflict } from "../store/database.ts";

/** A header of every answer: evidence holds text of other people, which no browser may take for a page or a script. */
export const NO_SNIFFING = ["X-Content-Type-Options", "nosniff"] as const;

/** Sends text as it is: JSON, or of another media type. */
export function sendText(response: ServerResponse, status: number, text: string, mediaType = "application/json"): void {
  response.statusCode = status;
  response.setHeader("Content-Type", `${mediaType}; charset=utf-8`);
  response.end(text);
}

/**
 * Sends pieces as they come, as fast as the client takes them. What fails before the first piece can still be answered as an error; what fails
 * later cuts the connection off, so that nobody takes a part for the whole.
 */
export async function sendPieces(
  response: ServerResponse,
  status: number,
  pieces: AsyncIterable<Uint8Array>,
  mediaType = "application/json",
): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  let next = await iterator.next();
  response.statusCode = status;
  response.setHeader(
    "Content-Type",
    /^(?:text\/|application\/json)/.test(mediaType) ? `${mediaType}; charset=utf-8` : mediaType,
  );
  async function* rest() {
    try {
      for (; next.done !== true; next = await iterator.next()) yield next.value;
    } finally {
      // Where the client went away: what the pieces are read from is closed.
      await iterator.return?.();
    }
  }
  try {
    await pipeline(rest, response);
  } finally {
    // Whoever makes the pieces learns that nobody takes the rest.
    await iterator.return?.();
  }
}

/** What a failure tells the client; anything unforeseen tells nothing but where to look for it. */
export function asServiceError(error: unknown, requestId: string): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof StoreUnavailable || error instanceof WriteConflict)
    return new ServiceError(
      "store_unavailable",
      "The database could not be read or written, or not in time. Nothing was recorded; send the same request again.",
    );
  if (error instanceof StoreUncertain)
    return new ServiceError(
      "store_uncertain",
      "The disk failed while the request was being recorded, and whether it was cannot be told. Send the same request again with the same Idempotency-Key: it is recorded once, in any case.",
    );
  if (error instanceof StoreFull)
    return new ServiceError(
      "store_full",
      "The disk behind the database is full. Nothing was recorded; tell the operator, and send the same request again later.",
    );
  // Express and its router mark what is wrong with a request line, such as a percent sign that encodes nothing.
  const { status } = error as { status?: unknown };
  if (typeof status === "number" && status >= 400 && status < 500)
    return new ServiceError("route_not_found", "The path cannot be read. Check its percent-encoding.");
  return new ServiceError(
    "internal_error",
    "The server failed on this request. Try again; if it stays so, give its operator the request id.",
    { request_id: requestId },
  );
}

export function sendError(response: ServerResponse, error: ServiceError): void {
  const { status } = ERRORS[error.code];
  if (status === 401) response.setHeader("WWW-Authenticate", "Bearer");
  // The rest of a slow request is not waited for.
  if (status === 408) response.setHeader("Connection", "close");
  if (status === 416) response.setHeader("Content-Range", `bytes */${error.details.size_bytes}`);
  if (error.details.retry_after_s !== undefined) response.setHeader("Retry-After", String(error.details.retry_after_s));
  // What is left of an unread body is read and thrown away by Node: closing at once could lose the answer on its way.
  sendText(response, status, errorText(error));
}

/** The body of an error. */
export function errorText({ code, message, details }: ServiceError): string {
  return JSON.stringify({ detail: { code, message, ...details } });
}
