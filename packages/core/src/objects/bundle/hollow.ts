/**
 * A bundle without its receipts and payloads, which are most of it: they are checked in bulk as they stand in the bytes. What is left is
 * small whatever the bundle's size, so that a bundle past the longest string of a runtime can be read too.
 */
import { encodeUtf8 } from "../../encoding/utf8.ts";
import type { JsonDocument } from "../../kernel/document.ts";
import type { Json, Kernel } from "../../kernel/kernel.ts";
import type { Frame } from "./frame.ts";

/** The value of a frame; null where it is not canonical, or what was cut out of it did not stand where a bundle has it. */
export function hollowOut(kernel: Kernel, { bytes, receipts, payloadsStart }: Frame): Json | null {
  const opened = kernel.openJson(bytes);
  if (!opened.ok) return null;
  const { document } = opened;
  const isFrame =
    // Otherwise the offsets are none of its bytes.
    document.isCanonical &&
    emptyAt(document, bytes, ["artifacts"], "receipts.json") === receipts.start &&
    emptyAt(document, bytes, [], "payloads") === payloadsStart;
  document.close();
  const parsed = isFrame ? kernel.parseJson(bytes) : null;
  return parsed?.ok ? parsed.value : null;
}

/** Where the value of a member begins, which is two bytes long; null where there is no such member, -1 where it is longer. */
function emptyAt(document: JsonDocument, canonical: Uint8Array, path: readonly string[], name: string): number | null {
  const spans = document.members(path);
  if (spans === null) return null;
  const wanted = encodeUtf8(JSON.stringify(name));
  for (let index = 0; index < spans.count; index++) {
    const found = canonical.subarray(spans.names[2 * index], spans.names[2 * index + 1]);
    // With its quotes no name is the beginning of another.
    if (!found.every((byte, at) => byte === wanted[at])) continue;
    const [start = 0, end = 0] = spans.values.subarray(2 * index, 2 * index + 2);
    return end - start === 2 ? start : -1;
  }
  return null;
}
