/**
 * The last line about many files: the names of files in folders that have no verdict, so that nobody takes them for
 * checked.
 */
import { counted, escapeText, grouped } from "@svc/report";
import { COLUMNS } from "../../render/text.ts";

/** So many are named; `--json` lists all. */
const SHOWN_NAMES = 10;

/** Returns the line, wrapped between names and never inside one; nothing if all were looked at. */
export function notLookedAtLines(files: readonly string[]): string[] {
  if (files.length === 0) return [];
  const more = files.length - SHOWN_NAMES;
  const names = files.slice(0, SHOWN_NAMES).map(escapeText);
  const all = more > 0 ? [...names, `and ${grouped(more)} more, which --json lists.`] : names;
  const were = files.length === 1 ? "was" : "were";
  const lines = [""];
  let line = `${counted(files.length, "file")} ${were} not looked at:`;
  for (const [index, name] of all.entries()) {
    const word = index < all.length - 1 ? `${name},` : name;
    if (line.length + 1 + word.length <= COLUMNS) line += ` ${word}`;
    else {
      lines.push(line);
      line = `  ${word}`;
    }
  }
  return [...lines, line];
}
