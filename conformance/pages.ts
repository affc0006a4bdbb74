/**
 * The pages of the kit: its README, and what an implementer reads beside it. The kit has no more of the repository, so
 * a link to anything else becomes its plain text.
 */
import { readFileSync } from "node:fs";
import { posix } from "node:path";

const ROOT = new URL("../", import.meta.url);
/** By the path in the repository, that in the kit. */
const PAGES: Readonly<Record<string, string>> = {
  "conformance/README.md": "README.md",
  "docs/conformance.md": "docs/conformance.md",
  "docs/protocol.md": "docs/protocol.md",
};
/** A link to a file: neither to another site nor to a place of the same page. */
const LINK = /\[([^\]]+)\]\(((?:\.\.\/)*[\w./-]+)(#[\w-]+)?\)/g;

/** Returns the texts of the pages by their paths in the kit. */
export function kitPages(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(PAGES).map(([path, own]) => {
      const text = readFileSync(new URL(path, ROOT), "utf8");
      return [own, text.replaceAll(LINK, (_, words, to, place) => linkOf(words, path, to, place))];
    }),
  );
}

/** Returns a link of the page at `path` as the kit has it. */
function linkOf(words: string, path: string, to: string, place = ""): string {
  const target = PAGES[posix.join(posix.dirname(path), to)];
  const own = PAGES[path];
  if (target === undefined || own === undefined) return words;
  return `[${words}](${posix.relative(posix.dirname(own), target)}${place})`;
}
