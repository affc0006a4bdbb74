/**
 * The form of comments, which the formatter leaves alone: at most 120 columns, like the code, and no sentence that
 * begins with "Of" or "What" (CONTRIBUTING.md). It looks at lines that begin as a comment does, and not at a
 * comment behind code. A wire text may have a signature on a longer line, since nothing can break it.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const MAX_COLUMNS = 120;
const SOURCES = "{packages,tools,bench,conformance,demo,docs,fixtures,sdks}/**/*.{ts,mjs,js,rs,go}";
const NOT_OURS = /(?:^|\/)(?:node_modules|dist|target|generated|yardsticks|.*_gen\.go)$/;
const COMMENT = /^\s*(?:\/\/|\/\*|\*)/;
/** The signs around the words of a comment line. */
const SIGNS = /^\s*(?:\/\/[/!]?|\/\*\*?|\*\/?)\s?|\*\/\s*$/g;
const BEGINNING = /(?:^|[.!?] )((?:Of|What)\b[^.!?]{0,40})/;
const QUOTED = /`[^`]*`/g;
const SIGNATURE = /"[0-9a-f]{128}"/;

/** Returns each fault of the comments below a repository's root, as a sentence. */
export function commentFaults(root: string): string[] {
  const files = globSync(SOURCES, { cwd: root, exclude: (name) => NOT_OURS.test(name) });
  return files.flatMap((file) => {
    const lines = readFileSync(join(root, file), "utf8").split(/\r?\n/);
    const name = file.replaceAll("\\", "/");
    return [...longLines(lines, name), ...turnedSentences(lines, name)];
  });
}

function longLines(lines: readonly string[], file: string): string[] {
  return lines.flatMap((line, index) => {
    const columns = [...line].length;
    if (columns <= MAX_COLUMNS || !COMMENT.test(line) || SIGNATURE.test(line)) return [];
    return [`${file}:${index + 1}: a comment line of ${columns} columns; ${MAX_COLUMNS} is the most`];
  });
}

function turnedSentences(lines: readonly string[], file: string): string[] {
  const faults: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const first = at;
    const words: string[] = [];
    while (COMMENT.test(lines[at] ?? "")) words.push((lines[at++] ?? "").replace(SIGNS, "").trim());
    const [, beginning] = BEGINNING.exec(words.join(" ").replace(QUOTED, "x").trim()) ?? [];
    if (beginning !== undefined)
      faults.push(
        `${file}:${first + 1}: the sentence "${beginning} ..." begins with no subject; say who or what first`,
      );
  }
  return faults;
}
