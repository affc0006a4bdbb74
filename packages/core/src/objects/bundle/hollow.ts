/**
 * A bundle without its receipts and payloads, which are most of it: they are checked in bulk as they stand in the bytes. What is left is
 * small whatever the bundle's size, so that a bundle past the longest string of a runtime can be read too.
 */
import { concatBytes } from "../../encoding/bytes.ts";
import { encodeUtf8 } from "../../encoding/utf8.ts";
import type { JsonDocument, Span } from "../../kernel/document.ts";
import type { Json, Kernel } from "../../kernel/kernel.ts";

/** What is left of a document that may be a bundle. */
export interface Hollow {
  readonly value: Json;
  /** Whether payloads were left out. */
  readonly hasPayloads: boolean;
}

/** Leaves the payloads out of a frame whose empty array of receipts begins at an offset; null where it does not, or is no bundle's. */
export function hollowOut(kernel: Kernel, frame: JsonDocument, receiptsStart: number): Hollow | null {
  // Otherwise the offset is none of the canonical bytes.
  if (!frame.isCanonical) return null;
  const receipts = memberSpan(frame, ["artifacts"], "receipts.json");
  if (receipts?.start !== receiptsStart || receipts.end !== receiptsStart + 2) return null;
  const text = frame.canonicalBytes();
  const payloads = memberSpan(frame, [], "payloads");
  if (payloads !== null && text[payloads.start] !== OPEN_OBJECT) return null;
  const left =
    payloads === null
      ? text
      : concatBytes([text.subarray(0, payloads.start), encodeUtf8("{}"), text.subarray(payloads.end)]);
  const parsed = kernel.parseJson(left);
  return parsed.ok ? { value: parsed.value, hasPayloads: payloads !== null } : null;
}

const OPEN_OBJECT = 0x7b;

/** Where the value of a member stands. */
function memberSpan(document: JsonDocument, path: readonly string[], name: string): Span | null {
  const spans = document.members(path);
  if (spans === null) return null;
  const canonical = document.canonicalBytes();
  const wanted = encodeUtf8(JSON.stringify(name));
  for (let index = 0; index < spans.count; index++) {
    const found = canonical.subarray(spans.names[2 * index], spans.names[2 * index + 1]);
    if (found.length !== wanted.length || !found.every((byte, at) => byte === wanted[at])) continue;
    return { start: spans.values[2 * index] ?? 0, end: spans.values[2 * index + 1] ?? 0 };
  }
  return null;
}
