/** The document in a row of evidence, for checking. */
import type { Kernel } from "@svc/core";
import type { RawRow } from "@svc/host/checks";

/** Returns a row's document, parsed strictly; null if it is not JSON. It does not check the shape. */
export function documentOf<Document>(kernel: Kernel, { document }: RawRow): Document | null {
  const parsed = kernel.parseJson(Buffer.from(String(document)));
  return parsed.ok ? (parsed.value as Document) : null;
}
