/**
 * A receipt and its payload often come apart, since whoever may see that an event was recorded need not see what it says. Here they are put
 * together again, before they are verified (protocol section 7). Whether they belong together is for verification to say.
 */
import type { Json, JsonObject } from "./kernel/kernel.ts";
import { isObject } from "./verify/kinds.ts";

/** A payload with its salt, as it stands apart from its receipt: exactly the two members. */
export function isPayloadEntry(value: Json): value is JsonObject {
  return isObject(value) && Object.keys(value).sort().join() === "payload,payload_salt";
}

/** The receipt with the payload of the entry in it; null where it carries one already. */
export function joinPayload(receipt: JsonObject, entry: JsonObject): JsonObject | null {
  if (Object.hasOwn(receipt, "payload") || Object.hasOwn(receipt, "payload_salt")) return null;
  return { ...receipt, ...entry };
}
