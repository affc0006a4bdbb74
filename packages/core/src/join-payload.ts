/**
 * Joins a receipt and its payload, which often come apart: somebody may be allowed to see that an event was recorded,
 * and not its content (protocol section 7). They are joined before they are verified; verification decides whether they
 * belong together.
 */
import type { Json, JsonObject } from "./kernel/kernel.ts";
import { isObject } from "./verify/kinds.ts";

/**
 * Says whether a value is a payload with its salt, apart from its receipt: exactly the members `payload` and
 * `payload_salt` (protocol section 7). `value`: parsed JSON. It does not check the members.
 *
 * @example
 * console.log(isPayloadEntry({ payload: { amount: 12500 }, payload_salt: "00" }), isPayloadEntry({})); // true false
 */
export function isPayloadEntry(value: Json): value is JsonObject {
  return isObject(value) && Object.keys(value).sort().join() === "payload,payload_salt";
}

/**
 * Returns a receipt with the payload and salt of an entry; null if the receipt already carries either (protocol section
 * 7). `receipt`: a receipt record. `entry`: for which `isPayloadEntry` is true. It does not check that they belong
 * together: `verify` does.
 *
 * @example
 * const { payload = {}, payload_salt = "" } = receipt;
 * const joined = joinPayload(redactRecord(receipt), { payload, payload_salt });
 * console.log(verify(kernel.canonicalize(joined), { trust }).verdict); // verified
 */
export function joinPayload(receipt: JsonObject, entry: JsonObject): JsonObject | null {
  if (Object.hasOwn(receipt, "payload") || Object.hasOwn(receipt, "payload_salt")) return null;
  return { ...receipt, ...entry };
}
