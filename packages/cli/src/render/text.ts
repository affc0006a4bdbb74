/** Text in lines of at most 80 columns. All texts are escaped already. */

/** The width of every page of output. */
export const COLUMNS = 80;

/** The text before the first line, and before each following one. */
export interface Indent {
  readonly first: string;
  readonly rest: string;
}

/** Wraps at spaces; a word longer than a line is cut at the line's end. Returns at least one line. */
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
