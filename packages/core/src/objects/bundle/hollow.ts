/**
 * A bundle without its receipts and payloads, which are most of it: they stay in the kernel as bytes, and are checked there in bulk. What
 * is left is small whatever the bundle's size, so that a bundle past the longest string of a runtime can be read too.
 */
import { concatBytes } from "../../encoding/bytes.ts";
import { encodeUtf8 } from "../../encoding/utf8.ts";
import type { JsonDocument, Span } from "../../kernel/document.ts";
import type { Json, Kernel } from "../../kernel/kernel.ts";

/** Fewer bytes of receipts are read whole: it costs nothing to speak of. */
const MIN_BYTES = 32_768;

/** A document that may be a bundle, and its value with no receipts and no payloads. */
export interface Hollow {
  readonly value: Json;
  /** Where the receipts stand in the canonical bytes. */
  readonly receiptsSpan: Span;
  /** Whether payloads were left out. */
  readonly hasPayloads: boolean;
}

/** Leaves receipts and payloads out of a document; null where it has not enough receipts to be worth it, or is no bundle. */
export function hollowOut(kernel: Kernel, document: JsonDocument): Hollow | null {
  const receiptsSpan = memberSpan(document, ["artifacts"], "receipts.json");
  if (receiptsSpan === null || receiptsSpan.end - receiptsSpan.start < MIN_BYTES) return null;
  const canonical = document.canonicalBytes();
  if (canonical[receiptsSpan.start] !== OPEN_ARRAY) return null;

  const payloadsSpan = memberSpan(document, [], "payloads");
  if (payloadsSpan !== null && canonical[payloadsSpan.start] !== OPEN_OBJECT) return null;
  const cuts = [
    { span: receiptsSpan, left: "[]" },
    ...(payloadsSpan === null ? [] : [{ span: payloadsSpan, left: "{}" }]),
  ];
  cuts.sort((a, b) => a.span.start - b.span.start);
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { span, left } of cuts) {
    parts.push(canonical.subarray(at, span.start), encodeUtf8(left));
    at = span.end;
  }
  parts.push(canonical.subarray(at));
  const parsed = kernel.parseJson(concatBytes(parts));
  if (!parsed.ok) return null;
  return { value: parsed.value, receiptsSpan, hasPayloads: payloadsSpan !== null };
}

const OPEN_ARRAY = 0x5b;
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
