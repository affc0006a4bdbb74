/** Identifiers for the objects that `svc` makes (protocol section 5): a ULID of the time and chance. */

/** Crockford's base32. */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;

/** Returns a prefix and 26 characters: the milliseconds since 1970, then 80 random bits. */
export function randomId(prefix: string, now: number = Date.now()): string {
  let time = "";
  for (let rest = now; time.length < TIME_DIGITS; rest = Math.floor(rest / DIGITS.length))
    time = (DIGITS[rest % DIGITS.length] ?? "") + time;
  const random = crypto.getRandomValues(new Uint8Array(RANDOM_DIGITS));
  return `${prefix}_${time}${Array.from(random, (byte) => DIGITS[byte % DIGITS.length]).join("")}`;
}
