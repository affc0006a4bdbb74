/** Counts and hashes in words: grouping digits, plurals, shortening. All input is escaped already. It does NOT wrap. */

/** Longer hex values are shortened in the middle; in characters. */
export const LONG_HEX = 24;
/** Longer texts of any other kind are shortened in the middle; in characters. */
export const LONG_TEXT = 300;

/** Returns a hash or key as its first and last 8 characters; any other text whole, unless it is very long. */
export function shorten(text: string): string {
  if (/^[0-9a-f]+$/.test(text) && text.length > LONG_HEX) return `${text.slice(0, 8)}…${text.slice(-8)}`;
  const characters = [...text];
  if (characters.length <= LONG_TEXT) return text;
  const half = LONG_TEXT / 2;
  return `${characters.slice(0, half).join("")}…${characters.slice(-half).join("")}`;
}

/** Returns 1707 as `1,707`. */
export function grouped(count: number): string {
  return `${count}`.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Groups the digits of numbers of events, windows and checkpoints in a sentence: `events 1 to 100,000`. */
export function groupedIn(sentence: string): string {
  return sentence.replace(
    /\b((?:events?|windows?|checkpoints?|to|and) )(\d{4,15})\b/gi,
    (_, before, digits) => `${before}${grouped(Number(digits))}`,
  );
}

/** Returns `1 window`, `7 windows`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
