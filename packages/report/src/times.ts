/**
 * Times as people read them, in UTC and to the second. It does NOT say whose clock they are of: the words beside them
 * do.
 */
import { MONTHS } from "./received.ts";

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** Returns an RFC 3339 time as `22 Nov 2026, 14:45:12 UTC`; any other text unchanged. */
export function readableTime(text: string): string {
  const time = new Date(RFC_3339.test(text) ? text : Number.NaN);
  if (Number.isNaN(time.getTime())) return text;
  const clock = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()].map((part) =>
    `${part}`.padStart(2, "0"),
  );
  return `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]?.slice(0, 3)} ${time.getUTCFullYear()}, ${clock.join(":")} UTC`;
}
