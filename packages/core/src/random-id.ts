/** Identifiers for the objects that a verifier makes (protocol section 5): a ULID of a time and of chance. */

/** Crockford's base32. */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;

/**
 * Returns a prefix and 26 characters (protocol section 5). `prefix`: as `frk`. `now`: milliseconds since 1970, which
 * come first. `chance`: 16 random bytes, of which 80 bits follow. Core reads no clock, and draws no random bytes.
 *
 * @example
 * console.log(randomId("frk", Date.now(), crypto.getRandomValues(new Uint8Array(16))).length); // 30
 */
export function randomId(prefix: string, now: number, chance: Uint8Array): string {
  let time = "";
  for (let rest = now; time.length < TIME_DIGITS; rest = Math.floor(rest / DIGITS.length))
    time = (DIGITS[rest % DIGITS.length] ?? "") + time;
  const random = Array.from(chance.subarray(0, RANDOM_DIGITS), (byte) => DIGITS[byte % DIGITS.length]);
  return `${prefix}_${time}${random.join("")}`;
}
