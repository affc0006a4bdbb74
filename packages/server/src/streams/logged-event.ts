/**
 * An event of a log: an event of the protocol whose hashed payload is `{status, payload}` (section 7). This file has
 * the one form that recording, showing and checking share.
 */
import type { EventInput, JsonObject } from "@svc/core";

/** An event as it is sent to the log. */
export interface LogInput {
  readonly type: string;
  readonly status: string;
  readonly occurred_at: string;
  readonly source_ref: string;
  readonly payload: JsonObject;
}

/** How many levels deeper the sent payload is in the hashed one. */
export const LEVELS_AROUND_PAYLOAD = 1;

/** Returns the event that is recorded. */
export function eventOf({ type, status, payload, ...rest }: LogInput): EventInput {
  return { ...rest, event_type: type, payload: { status, payload } };
}

/**
 * Returns the status and the sent payload from the hashed one. Throws Error for a payload that no event of a log can
 * have.
 */
export function contentOf(hashed: JsonObject): Pick<LogInput, "status" | "payload"> {
  const { status, payload } = hashed;
  if (typeof status !== "string" || typeof payload !== "object" || payload === null || Array.isArray(payload))
    throw new Error("an event of a log has a payload of another form: the database was changed");
  return { status, payload: payload as JsonObject };
}
