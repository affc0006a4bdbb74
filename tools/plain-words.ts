/**
 * Words that a stranger has to decode, in comments, texts of programs, titles of tests and pages (CONTRIBUTING.md). A
 * sentence over several lines of a comment or a page is read as one. Migrations and Rust sources are left out: their
 * texts are part of what every database and every kernel holds.
 */
import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SOURCES = /\.(?:ts|mjs|js|go|py|md|html|css)$/;
const NOT_OURS =
  /(?:^|\/)(?:yardsticks|generated|_generated|migrations|legacy)\/|^fixtures\/vectors\/|_gen\.go$|^packages\/witness\/src\/migrations\.ts$/;
/** The rule itself, and its test. */
const OWN = new Set(["tools/plain-words.ts", "tools/suite/test/plain-words.test.ts"]);

/** The end of a line of a comment and the beginning of the next one, or a blank. */
const WRAP = String.raw`(?:[ \t]|\r?\n[ \t]*(?:\*|\/\/|#)?[ \t]*)+`;
const BE = "(?:is|are|was|were|be|been|being)";
/** No noun follows: "two histories of its own log" is plain, "a log of its own" is not. */
const ALONE = String.raw`(?![ \t]*\r?\n?[ \t]*(?:\*|\/\/|#)?[ \t]*(?!(?:and|or|that|which|for|in|with|by|under|at|on|to|is|are|was|beside|from|when|where|if|each)\b)[a-z])`;
const RULES: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [new RegExp(`\\b${BE}${WRAP}none\\b`, "g"), "say what it is instead, or that it is missing"],
  [/\b[Ww]hoever\b/g, "name the person: the sender, the operator, a caller"],
  [new RegExp(`\\b${BE}${WRAP}told\\b`, "g"), "say where it can be read: the log says it, the answer names it"],
  [
    new RegExp(`\\bof${WRAP}(?:its|their|his|her|your|my|our|one's)${WRAP}own\\b${ALONE}`, "g"),
    'put "own" in front of the noun, or "separate"',
  ],
  [
    new RegExp(
      `\\b[Ss]tands?${WRAP}(?:twice|once|here|there|at|before|beside|behind|inside|between|under|above|below|among|` +
        `in(?!${WRAP}(?:for|the way)\\b))\\b`,
      "g",
    ),
    "things do not stand: say that they are there, or appear",
  ],
];

/** Returns each place below a repository's root with such words, in files that Git has or would add. */
export function plainWordFaults(root: string): string[] {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const files = execFileSync("git", list, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 }).split("\0");
  return files
    .filter((file) => SOURCES.test(file) && !NOT_OURS.test(file) && !OWN.has(file) && isFile(join(root, file)))
    .flatMap((file) => faultsIn(readFileSync(join(root, file), "utf8")).map((fault) => `${file}:${fault}`));
}

/** Returns the faults of a text, each behind the number of its line. */
export function faultsIn(text: string): string[] {
  return RULES.flatMap(([pattern, advice]) =>
    [...text.matchAll(pattern)].map(({ 0: words, index }) => {
      const line = text.slice(0, index).split("\n").length;
      return `${line}: "${words.replaceAll(/\s*\n\s*(?:\*|\/\/|#)?\s*/g, " ")}" has to be decoded; ${advice}`;
    }),
  );
}

/** Returns whether the working tree has the file: one that is deleted there may still be in the index. */
function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
