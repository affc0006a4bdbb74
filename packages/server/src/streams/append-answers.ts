/** What the routes that append have in common: how they answer, and what a batch may be. HTTP only. */
import { MAX_BATCH_EVENTS } from "@svc/api/limits";
import type { Json } from "@svc/core";
import { ServiceError } from "@svc/host/errors";
import type { Answer } from "@svc/host/http";
import { recordText, redactedRecordText } from "./receipt-records.ts";

/** An answer with the records whole, or as `Prefer` wishes. Wishes that are not known are passed over (RFC 7240 section 2). */
export function preferred(
  { Prefer }: { readonly Prefer: string | null },
  body: (text: typeof recordText) => string,
): Answer {
  const wishes = (Prefer ?? "").split(",").map((wish) => wish.trim().toLowerCase());
  if (!wishes.includes("return=minimal")) return { text: body(recordText) };
  return { text: body(redactedRecordText), headers: { "Preference-Applied": "return=minimal" } };
}

/** Counts before the shape is checked, which would list the problems of every single event. */
export function requireFewEnough(value: Json): void {
  const events: unknown = (value as { readonly events?: unknown } | null)?.events;
  if (!Array.isArray(events) || events.length <= MAX_BATCH_EVENTS) return;
  throw new ServiceError(
    "invalid_request",
    `/events has ${events.length} events, and one request at most ${MAX_BATCH_EVENTS}. Send several requests.`,
    { problems: [{ path: "/events", message: `must not have more than ${MAX_BATCH_EVENTS} items` }] },
  );
}
