/** A verifier that reads evidence with `JSON.parse`: of doubled names the last one stands, and numbers are rounded. */
import { encodeBase64, type JsonObject, parseBase64 } from "@svc/core";
import { isOf, type Lie, mistaking } from "./lie.ts";

export const LENIENT_JSON: Lie = {
  name: "lenient-json",
  does: "reads JSON as JSON.parse does",
  concerns: (one) => isOf(one, "json.canonical", "digest", "verify") && leniently(one.request) !== one.request,
  tell: (kernel) =>
    mistaking(kernel, (request) =>
      ["json.canonical", "digest", "verify"].includes(String(request.op)) ? leniently(request) : request,
    ),
};

/** Returns the request about what JSON.parse makes of its bytes; the same request where the two do not differ. */
function leniently(request: JsonObject): JsonObject {
  const bytes = parseBase64(String(request.bytes));
  if (bytes === null) return request;
  try {
    const text = new TextDecoder().decode(bytes);
    const read = encodeBase64(new TextEncoder().encode(JSON.stringify(JSON.parse(text))));
    return read === request.bytes ? request : { ...request, bytes: read };
  } catch {
    // JSON.parse refuses it as well.
    return request;
  }
}
