/** Answers: text, pieces, and errors in their one form. */
import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { ServiceError } from "../errors.ts";
import { AnswerLost, StoreFull, StoreUnavailable, StoreUncertain, WriteConflict } from "../store/database.ts";
import { isOutOfReach } from "../store/postgres-fault.ts";

/** A header of every answer: evidence holds text of other people, and no browser may take it for a page or a script. */
export const NO_SNIFFING = ["X-Content-Type-Options", "nosniff"] as const;

/** Sends a text unchanged, with its media type and `charset=utf-8`. `text`: bytes are sent without a copy. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string | Uint8Array,
  mediaType = "application/json",
): void {
  response.statusCode = status;
  response.setHeader("Content-Type", `${mediaType}; charset=utf-8`);
  if (typeof text !== "string") {
    response.end(text);
    return;
  }
  // Text of ASCII alone is the same bytes in both encodings, and is copied faster as Latin-1.
  response.end(text, Buffer.byteLength(text) === text.length ? "latin1" : "utf8");
}

/**
 * Sends pieces as they come, at the client's pace. A failure before the first piece can still be answered as an error.
 * A later failure cuts the connection off, so that nobody takes a part for the whole; the promise then rejects.
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
      // If the client has left, this closes the source of the pieces.
      await iterator.return?.();
    }
  }
  try {
    await pipeline(rest, response);
  } finally {
    // The maker of the pieces learns that nobody takes the rest.
    await iterator.return?.();
  }
}

/**
 * Returns the refusal that tells a client of a failure. An unforeseen error tells nothing but the request id, under
 * which the log has it.
 */
export function asServiceError(error: unknown, requestId: string): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof StoreUnavailable || error instanceof WriteConflict || isOutOfReach(error))
    return new ServiceError(
      "store_unavailable",
      "The database could not be read or written, or not in time. Nothing was recorded; send the same request again.",
    );
  if (error instanceof StoreUncertain)
    return new ServiceError(
      "store_uncertain",
      `${error instanceof AnswerLost ? "The connection to the database was lost" : "The disk failed"} while the ` +
        `request was being recorded, and whether it was is unknown. Send the same request again with the same ` +
        `Idempotency-Key: it is recorded once, in any case.`,
    );
  if (error instanceof StoreFull)
    return new ServiceError(
      "store_full",
      "The disk behind the database is full. Nothing was recorded; tell the operator, and send the same request " +
        "again later.",
    );
  // Express and its router mark faults of a request line, such as a percent sign that encodes nothing.
  const { status } = error as { status?: unknown };
  if (typeof status === "number" && status >= 400 && status < 500)
    return new ServiceError("route_not_found", "The path cannot be read. Check its percent-encoding.");
  return new ServiceError(
    "internal_error",
    "The server failed on this request. Try again; if it stays so, give its operator the request id.",
    { request_id: requestId },
  );
}

/** Sends an error in its one form, with the status of its code and the headers that belong to it. */
export function sendError(response: ServerResponse, error: ServiceError): void {
  const { status } = error;
  if (status === 401) response.setHeader("WWW-Authenticate", "Bearer");
  // The server does not wait for the rest of a slow request.
  if (status === 408) response.setHeader("Connection", "close");
  if (status === 416) response.setHeader("Content-Range", `bytes */${error.details.size_bytes}`);
  if (error.details.retry_after_s !== undefined) response.setHeader("Retry-After", String(error.details.retry_after_s));
  // Node reads and drops the rest of an unread body: closing at once could lose the answer.
  sendText(response, status, errorText(error));
}

/** Returns the body of an error: `{"detail": {"code", "message", ...}}`. */
export function errorText({ code, message, details }: ServiceError): string {
  return JSON.stringify({ detail: { code, message, ...details } });
}
