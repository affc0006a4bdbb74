/** The parts that all appending routes share on the wire: their answers and their refusals. */
import { schemas } from "@svc/core";
import Type from "typebox";
import { type LargeBodyRule, OF_ARCHIVE } from "../contract.ts";
import { MAX_LARGE_EVENT_BODIES, MAX_PERMIT_WAIT_MS, MAX_SMALL_EVENT_BODY_BYTES } from "../limits.ts";

/** The header that asks for a smaller answer. */
export const PREFER = {
  Prefer: {
    description:
      "`return=minimal` leaves payload and salt out of the answer (RFC 7240). GET /v2/receipts/{eventId} has them.",
  },
};

/** A receipt record: whole, or without payload and salt if `Prefer` asks for that. */
export const Records = Type.Union([schemas.ReceiptRecord, schemas.RedactedRecord]);

/** The refusals of a recording, for any stream. */
export const RECORDING_ERRORS = [
  "key_busy",
  "stream_forbidden",
  "too_deep",
  "payload_too_large",
  "timezone_required",
  "idempotency_conflict",
  "stream_closed",
  // The first answer to a repeated request has its payloads in it.
  ...OF_ARCHIVE,
] as const;

/** One rule for all bodies of events, on every route. */
export const LARGE_EVENT_BODIES: LargeBodyRule = {
  overBytes: MAX_SMALL_EVENT_BODY_BYTES,
  atOnce: MAX_LARGE_EVENT_BODIES,
  waitMs: MAX_PERMIT_WAIT_MS,
};
