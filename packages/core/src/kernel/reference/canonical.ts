/** J of protocol section 1: RFC 8785 canonical JSON by the npm package `canonicalize`, as UTF-8 bytes. */

import serialize from "canonicalize";
import { encodeUtf8 } from "../../encoding/utf8.ts";
import { requireJson } from "../json-value.ts";
import type { Json } from "../kernel.ts";

/**
 * Returns the canonical bytes of a JSON value. The strict parser accepts them and reads them back to the same bytes.
 * Throws TypeError, with a JSON Pointer, for a value that is not JSON.
 */
export function canonicalize(value: Json): Uint8Array {
  requireJson(value);
  return encodeUtf8(serialize(value) ?? "");
}
