/**
 * The programs in a page of Markdown. Every fenced block is TypeScript and part of a program, so that the tests leave
 * none out. One marked `spool` holds the bytes of a format, which a separate test compares, and the commands of an
 * installation are those that the test of the package runs:
 *
 * - A heading of the second level, or a block whose first line is a comment with a file name, begins a program; other
 *   blocks continue it.
 * - A program whose first block is marked `ts offline` runs while the service cannot be reached.
 * - `console.log(…); // text` says which line the call prints, each time it runs.
 */
import assert from "node:assert/strict";

export interface ExampleProgram {
  /** The heading above it; empty above the first. */
  readonly section: string;
  readonly fileName: string;
  readonly isOffline: boolean;
  readonly code: string;
  /** The lines that it prints. */
  readonly prints: readonly string[];
}

/** The mark of blocks that are no programs: file-spool.test.ts compares the bytes. */
const BYTES = "spool";
/** The section whose commands package.slow.test.ts runs. */
const INSTALLATION = "Installing it";
const COMMANDS = "sh";
const FENCE = /^ *(?:```|~~~)(.*)$/;
const FILE_NAME = /^\/\/ ([\w-]+(?:\.test)?\.ts)$/;
const PRINTED = /console\.log\(.*\); \/\/ (.+)$/;

/** The programs of a page in their order. Throws AssertionError for a block that is no part of any. */
export function programsOf(markdown: string): ExampleProgram[] {
  const programs: ExampleProgram[] = [];
  let section = "";
  let goesOn = false;
  let block: { readonly info: string; readonly lines: string[] } | null = null;
  for (const line of markdown.split("\n")) {
    const fence = FENCE.exec(line);
    if (fence === null && block !== null) block.lines.push(line);
    else if (fence === null && line.startsWith("## ")) {
      section = line.slice(3);
      goesOn = false;
    } else if (fence !== null && block === null) {
      const info = fence[1] ?? "";
      const known = ["ts", "ts offline", BYTES, ...(section === INSTALLATION ? [COMMANDS] : [])];
      assert.ok(known.includes(info), `a block that nothing runs, under "${section}": ${line}`);
      block = { info, lines: [] };
    } else if (block?.info === BYTES || block?.info === COMMANDS) {
      block = null;
    } else if (fence !== null && block !== null) {
      const fileName = FILE_NAME.exec(block.lines[0] ?? "")?.[1];
      const before = goesOn && fileName === undefined ? programs.pop() : undefined;
      assert.ok(before === undefined || block.info === "ts", `under "${section}", only a first block can be offline`);
      programs.push({
        section,
        fileName: before?.fileName ?? fileName ?? fileNameOf(section),
        isOffline: before?.isOffline ?? block.info === "ts offline",
        code: `${before?.code ?? ""}${block.lines.join("\n")}\n`,
        prints: [...(before?.prints ?? []), ...block.lines.flatMap((each) => PRINTED.exec(each)?.[1] ?? [])],
      });
      goesOn = true;
      block = null;
    }
  }
  assert.equal(block, null, "the page ends within a block");
  const names = programs.map(({ fileName }) => fileName);
  assert.equal(new Set(names).size, names.length, `two programs have one name: ${names}`);
  return programs;
}

function fileNameOf(section: string): string {
  return `${section.toLowerCase().replace(/[^a-z0-9]+/g, "-") || "example"}.ts`;
}
