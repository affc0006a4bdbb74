/**
 * How many large bodies of events a system may send at a time. What a thousand clients of one key send at once, or begin and never end, would not
 * fit into memory. Bodies that are small never wait.
 */
import { MAX_LARGE_EVENT_BODIES, MAX_PLACE_WAIT_MS, MAX_SMALL_EVENT_BODY_BYTES } from "@svc/api/limits";
import { ServiceError } from "../errors.ts";
import { Places } from "../http/places.ts";
import type { Principal } from "../tenancy/principal.ts";

const RETRY_AFTER_S = 5;

/** Waits until a body may be read, and answers with what gives its place back. */
export type PlacesOfBodies = ReturnType<typeof placesOfBodies>;

/** Waits until a body of so many bytes may be read, null for an unknown size; answers with what gives its place back. Throws `key_busy`. */
export function placesOfBodies(): (bytes: number | null, principal: Principal | null) => Promise<() => void> {
  const places = new Places({ most: MAX_LARGE_EVENT_BODIES, waitMs: MAX_PLACE_WAIT_MS, refusal: busy });
  return async (bytes, principal) =>
    bytes !== null && bytes <= MAX_SMALL_EVENT_BODY_BYTES ? () => undefined : places.take(principal?.id ?? "");
}

function busy(): ServiceError {
  return new ServiceError(
    "key_busy",
    `This system sends ${MAX_LARGE_EVENT_BODIES} large bodies at a time already. Send it again when one of them is answered.`,
    { retry_after_s: RETRY_AFTER_S },
  );
}
