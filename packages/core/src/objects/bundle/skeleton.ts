/**
 * The skeleton of a bundle: all of it but its receipts and payloads. These are most of a bundle, and are checked in
 * bulk as they are in the bytes. The skeleton is small whatever the bundle's size, so that a bundle longer than the
 * longest string of a runtime can be read too.
 */
import { areEqual } from "../../encoding/bytes.ts";
import { encodeUtf8 } from "../../encoding/utf8.ts";
import type { JsonDocument } from "../../kernel/document.ts";
import type { Json, Kernel } from "../../kernel/kernel.ts";
import type { Frame } from "./frame.ts";

/**
 * Reads the skeleton, the value of a frame, beside the frame's document; returns null if the frame is not canonical, or
 * if receipts and payloads were not cut out where a bundle has them.
 */
export function skeletonOf<T>(
  kernel: Kernel,
  { bytes, receipts, payloadsStart }: Frame,
  read: (value: Json, document: JsonDocument) => T,
): T | null {
  const opened = kernel.openJson(bytes);
  if (!opened.ok) return null;
  const { document } = opened;
  const isFrame =
    // Otherwise the offsets are not offsets into these bytes.
    document.isCanonical &&
    emptyAt(document, bytes, ["artifacts"], "receipts.json") === receipts.start &&
    emptyAt(document, bytes, [], "payloads") === payloadsStart;
  const found = isFrame ? read(document.value(), document) : null;
  document.close();
  return found;
}

/**
 * Returns the offset at which the value of a member begins; null if there is no such member, -1 if its value is longer
 * than the two bytes of an empty array or object.
 */
function emptyAt(document: JsonDocument, canonical: Uint8Array, path: readonly string[], name: string): number | null {
  const spans = document.members(path);
  if (spans === null) return null;
  const wanted = encodeUtf8(JSON.stringify(name));
  for (let index = 0; index < spans.count; index++) {
    const found = canonical.subarray(spans.names[2 * index], spans.names[2 * index + 1]);
    if (!areEqual(found, wanted)) continue;
    const [start = 0, end = 0] = spans.values.subarray(2 * index, 2 * index + 2);
    return end - start === 2 ? start : -1;
  }
  return null;
}
