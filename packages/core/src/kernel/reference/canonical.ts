/** J of protocol section 1: RFC 8785 canonical JSON over the npm package `canonicalize`, as UTF-8 bytes. */

import serialize from "canonicalize";
import { encodeUtf8 } from "../../encoding/utf8.ts";
import { requireJson } from "../json-value.ts";
import type { Json } from "../kernel.ts";

/**
 * The canonical bytes of a JSON value. What it gives, the strict parser accepts and reads back to the same bytes. Throws TypeError,
 * with a JSON pointer, for what is not JSON.
 */
export function canonicalize(value: Json): Uint8Array {
  requireJson(value);
  return encodeUtf8(serialize(value) ?? "");
}
