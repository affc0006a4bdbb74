/** The parts that routes for appending have in common: the form of the answer, and the size of a batch. HTTP only. */
import { MAX_BATCH_EVENTS } from "@svc/api/limits";
import type { Json } from "@svc/core";
import { ServiceError } from "@svc/host/errors";
import type { Answer } from "@svc/host/http";
import type { RecordForm } from "./receipt-records.ts";

/**
 * Returns an answer with the whole records, or with redacted ones for `Prefer: return=minimal`. Unknown preferences are
 * ignored (RFC 7240 section 2). `body` resolves to the text with records of a form.
 */
export async function preferred(
  { Prefer }: { readonly Prefer: string | null },
  body: (form: RecordForm) => Promise<string>,
): Promise<Answer> {
  const wishes = (Prefer ?? "").split(",").map((wish) => wish.trim().toLowerCase());
  if (!wishes.includes("return=minimal")) return { text: await body("whole") };
  return { text: await body("minimal"), headers: { "Preference-Applied": "return=minimal" } };
}

/**
 * Throws `invalid_request` for a batch with too many events. It runs before the shape is checked, because that would
 * list the problems of every single event.
 */
export function requireFewEnough(value: Json): void {
  const events: unknown = (value as { readonly events?: unknown } | null)?.events;
  if (!Array.isArray(events) || events.length <= MAX_BATCH_EVENTS) return;
  throw new ServiceError(
    "invalid_request",
    `/events has ${events.length} events, and one request at most ${MAX_BATCH_EVENTS}. Send several requests.`,
    { problems: [{ path: "/events", message: `must not have more than ${MAX_BATCH_EVENTS} items` }] },
  );
}
