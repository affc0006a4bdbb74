/**
 * The service's clock and its times (protocol section 5). Times of one form and one length compare as texts.
 */

/** Returns the time in milliseconds since 1970. It is passed in at construction, so that a test can hold it still. */
export type Clock = () => number;

/** The clock of the machine; it can go back. */
export const systemClock: Clock = () => Date.now();

/** Returns a time in the form of the service: YYYY-MM-DDTHH:MM:SS.mmmZ. */
export function serviceTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Returns the latest of some service times; skips null and undefined. */
export function latest(first: string, ...others: readonly (string | null | undefined)[]): string {
  let result = first;
  for (const other of others) if (typeof other === "string" && other > result) result = other;
  return result;
}

const FRACTION = /\.(\d{1,9})/;

/**
 * Returns a source time (RFC 3339, already checked) in UTC with nine fraction digits, for comparing and ordering:
 * earlier times are smaller texts. The source's own text is kept beside it.
 */
export function normalizedUtc(sourceTime: string): string {
  const fraction = FRACTION.exec(sourceTime)?.[1] ?? "";
  // The three digits behind its seconds are cut off: a source can have nine. An offset can reach into the year 10000,
  // whose text begins with a plus sign. A plus sign is smaller than any digit; a colon is larger.
  const text = new Date(sourceTime).toISOString().replace("+", ":");
  return `${text.slice(0, -5)}.${fraction.padEnd(9, "0")}Z`;
}
