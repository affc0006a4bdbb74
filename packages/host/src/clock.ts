/**
 * The service's clock and its times (protocol section 5). Times of one form and one length compare as texts.
 */

/** Milliseconds since 1970. Given at construction, so that a test can hold it still. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** A time made by the service: YYYY-MM-DDTHH:MM:SS.mmmZ. */
export function serviceTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The latest of some service times; null and missing ones do not count. */
export function latest(first: string, ...others: readonly (string | null | undefined)[]): string {
  let result = first;
  for (const other of others) if (typeof other === "string" && other > result) result = other;
  return result;
}

const FRACTION = /\.(\d{1,9})/;

/**
 * A source time (RFC 3339, already checked) in UTC with nine fraction digits, for comparing and ordering: earlier times are smaller texts. The
 * text that the source gave is kept beside it.
 */
export function normalizedUtc(sourceTime: string): string {
  const fraction = FRACTION.exec(sourceTime)?.[1] ?? "";
  const wholeSeconds = new Date(sourceTime.replace(FRACTION, ""));
  // An offset can reach into the year 10000, which begins with a sign that is smaller than any digit. This one is larger.
  const text = wholeSeconds.toISOString().replace("+", ":");
  return `${text.slice(0, -5)}.${fraction.padEnd(9, "0")}Z`;
}
