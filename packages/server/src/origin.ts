/**
 * The evidence origin (protocol section 9), and the names that can be one. It is in every checkpoint and never changes.
 */
import { formats } from "@svc/core";

const MAX_ORIGIN_CHARACTERS = 200;

/** Returns the fault of an origin, in words; null if it can be used. */
export function originFault(origin: string): string | null {
  if (origin.length > MAX_ORIGIN_CHARACTERS) return `it is longer than ${MAX_ORIGIN_CHARACTERS} characters`;
  if (formats.origin?.(origin) !== true || origin.endsWith("/"))
    return (
      'it is not a schema-less URL in printable ASCII such as "demo.example/evidence" (no "https://", no spaces, ' +
      'no "+", no slash at either end)'
    );
  return null;
}
