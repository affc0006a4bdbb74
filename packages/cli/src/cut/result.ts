/** The bytes of results. */
import type { Json, Kernel } from "@svc/core";

/** Returns an object in canonical JSON with a line end behind it. */
export function objectBytes(kernel: Kernel, object: unknown): Uint8Array {
  const json = kernel.canonicalize(object as Json);
  const bytes = new Uint8Array(json.length + 1);
  bytes.set(json);
  bytes[json.length] = 0x0a;
  return bytes;
}
