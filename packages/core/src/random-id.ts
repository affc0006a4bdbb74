/** Identifiers for the objects that a verifier makes (protocol section 5): a ULID of a time and of chance. */

/** Crockford's base32. */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;

/**
 * Returns a prefix and 26 characters (protocol section 5). `prefix`: as `frk`. `now`: milliseconds since 1970, which
 * come first; 80 random bits follow. Core reads no clock.
 *
 * @example
 * console.log(randomId("frk", Date.now()).length); // 30
 */
export function randomId(prefix: string, now: number): string {
  let time = "";
  for (let rest = now; time.length < TIME_DIGITS; rest = Math.floor(rest / DIGITS.length))
    time = (DIGITS[rest % DIGITS.length] ?? "") + time;
  const random = crypto.getRandomValues(new Uint8Array(RANDOM_DIGITS));
  return `${prefix}_${time}${Array.from(random, (byte) => DIGITS[byte % DIGITS.length]).join("")}`;
}
