/** What the routes that append have in common on the wire: how they answer, and what they refuse. */
import { schemas } from "@svc/core";
import Type from "typebox";
import type { LargeBodyRule } from "../contract.ts";
import { MAX_LARGE_EVENT_BODIES, MAX_PLACE_WAIT_MS, MAX_SMALL_EVENT_BODY_BYTES } from "../limits.ts";

/** The header by which a caller wishes for less. */
export const PREFER = {
  Prefer: {
    description:
      "`return=minimal` leaves payload and salt out of the answer (RFC 7240). GET /v2/receipts/{eventId} has them.",
  },
};

/** A receipt record, whole or as `Prefer` wishes. */
export const Records = Type.Union([schemas.ReceiptRecord, schemas.RedactedRecord]);

/** What recording an event can be refused for, whatever stream it goes to. */
export const RECORDING_ERRORS = [
  "key_busy",
  "stream_forbidden",
  "too_deep",
  "payload_too_large",
  "timezone_required",
  "idempotency_conflict",
  "stream_closed",
] as const;

/** One for all bodies of events, whichever route takes them. */
export const LARGE_EVENT_BODIES: LargeBodyRule = {
  overBytes: MAX_SMALL_EVENT_BODY_BYTES,
  atOnce: MAX_LARGE_EVENT_BODIES,
  waitMs: MAX_PLACE_WAIT_MS,
};
