/**
 * Text in lines of at most 80 columns: wrapping, shortening, numbers and lists in words. Everything given here is escaped already.
 */

/** The width of every page of output. */
export const COLUMNS = 80;
/** Longer hex values are shortened in the middle. */
const LONG_HEX = 24;
/** Longer texts of any other kind are shortened in the middle. */
const LONG_TEXT = 300;

/** What stands before the first line and before each following one. */
export interface Indent {
  readonly first: string;
  readonly rest: string;
}

/** Wraps at spaces; a word longer than a line is cut at its end. At least one line comes back. */
export function wrap(text: string, { first, rest }: Indent): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(" ").filter((part) => part !== "")) {
    let left = [...word];
    if (!isEmpty && [...line].length + 1 + left.length > COLUMNS) {
      lines.push(line);
      line = rest;
      isEmpty = true;
    }
    for (;;) {
      const room = COLUMNS - [...line].length - (isEmpty ? 0 : 1);
      line += (isEmpty ? "" : " ") + left.slice(0, room).join("");
      isEmpty = false;
      left = left.slice(room);
      if (left.length === 0) break;
      lines.push(line);
      line = rest;
      isEmpty = true;
    }
  }
  return [...lines, line];
}

/** A hash or key as its first and last 8 characters; any other text whole unless it is very long. */
export function shorten(text: string): string {
  if (/^[0-9a-f]+$/.test(text) && text.length > LONG_HEX) return `${text.slice(0, 8)}…${text.slice(-8)}`;
  const characters = [...text];
  if (characters.length <= LONG_TEXT) return text;
  const half = LONG_TEXT / 2;
  return `${characters.slice(0, half).join("")}…${characters.slice(-half).join("")}`;
}

/** 1707 as `1,707`. Event numbers are names and stay as they are; only counts are grouped. */
export function grouped(count: number): string {
  return `${count}`.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 window`, `7 windows`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
