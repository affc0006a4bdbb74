/**
 * The width of comments, which the formatter leaves alone: at most 120 columns, like the code. It looks at lines that
 * begin as a comment does, and not at a comment behind code. A wire text may have a signature on a longer line, since
 * nothing can break it.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Packages whose comments are not all done; each leaves the list with its last long line. */
export const NOT_YET: readonly string[] = [];

const MAX_COLUMNS = 120;
const SOURCES = "{packages,tools,bench,demo,docs,fixtures}/**/*.{ts,mjs,js,rs}";
const NOT_OURS = /(?:^|\/)(?:node_modules|dist|target|generated)$/;
const COMMENT = /^\s*(?:\/\/|\/\*|\*)/;
const SIGNATURE = /"[0-9a-f]{128}"/;

/** Returns each comment line below a repository's root that is too long, as a sentence. */
export function commentColumnFaults(root: string, notYet = NOT_YET): string[] {
  const files = globSync(SOURCES, { cwd: root, exclude: (name) => NOT_OURS.test(name) });
  const long = files.flatMap((file) => longLines(readFileSync(join(root, file), "utf8"), file.replaceAll("\\", "/")));
  const isOf = (fault: string, folder: string) => fault.startsWith(`${folder}/`);
  return [
    ...long.filter((fault) => !notYet.some((folder) => isOf(fault, folder))),
    ...notYet
      .filter((folder) => !long.some((fault) => isOf(fault, folder)))
      .map(
        (folder) =>
          `${folder}: has no comment line over ${MAX_COLUMNS} columns; take it off the list in tools/comment-columns.ts`,
      ),
  ];
}

function longLines(text: string, file: string): string[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const columns = [...line].length;
    if (columns <= MAX_COLUMNS || !COMMENT.test(line) || SIGNATURE.test(line)) return [];
    return [`${file}:${index + 1}: a comment line of ${columns} columns; ${MAX_COLUMNS} is the most`];
  });
}
