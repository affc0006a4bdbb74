/**
 * The width of lines: 120 columns of code, 160 of Markdown (CONTRIBUTING.md); comments.ts has that of comments. The
 * formatter breaks code and leaves its texts alone, so a line of code is too wide if a text on it could be broken: one
 * that begins and ends there and has a blank. Texts over several lines, such as SQL, stay as they are sent or printed.
 * Rows of tables and code in Markdown have no break.
 */
import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Node, SourceFile } from "typescript";

const MAX_CODE = 120;
const MAX_MARKDOWN = 160;
const CODE = "{packages,tools,bench,conformance,demo,docs,fixtures,sdks}/**/*.{ts,mjs,js}";
const MARKDOWN = "{*.md,{packages,tools,bench,conformance,demo,docs,fixtures,sdks,deploy,spec}/**/*.md}";
const NOT_OURS = /(?:^|[\\/])(?:node_modules|dist|target|generated|yardsticks|vectors|migrations)$/;
const COMMENT = /^\s*(?:\/\/|\/\*|\*)/;
const FENCE = /^\s*(?:```|~~~)/;

/** Returns each line below a repository's root that is too wide, as a sentence. */
export function lineWidthFaults(root: string): string[] {
  const listed = (pattern: string) => globSync(pattern, { cwd: root, exclude: (name) => NOT_OURS.test(name) });
  const faultsOf = (file: string, linesOf: (text: string, file: string) => number[], most: number) =>
    linesOf(readFileSync(join(root, file), "utf8"), file).map(
      (line) => `${file.replaceAll("\\", "/")}:${line}: wider than ${most} columns; break the text`,
    );
  return [
    ...listed(CODE).flatMap((file) => faultsOf(file, wideCode, MAX_CODE)),
    ...listed(MARKDOWN).flatMap((file) => faultsOf(file, wideMarkdown, MAX_MARKDOWN)),
  ];
}

/** Returns the numbers of the lines of a page that are too wide. */
export function wideMarkdown(text: string): number[] {
  let isCode = false;
  return text.split("\n").flatMap((line, index) => {
    if (FENCE.test(line)) isCode = !isCode;
    const isWide = !isCode && !/^\s*\|/.test(line) && [...line].length > MAX_MARKDOWN;
    return isWide ? [index + 1] : [];
  });
}

/** Returns the numbers of the lines of a source that are too wide. */
export function wideCode(text: string, file: string): number[] {
  const wide = new Set(
    text.split("\n").flatMap((line, index) => (!COMMENT.test(line) && [...line].length > MAX_CODE ? [index] : [])),
  );
  if (wide.size === 0) return [];
  // Few files have such a line, so the compiler is loaded for them alone.
  const ts = createRequire(new URL("compiler/package.json", import.meta.url))(
    "typescript",
  ) as typeof import("typescript");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = new Set<number>();
  const visit = (node: Node) => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)) {
      const texts = ts.isTemplateExpression(node)
        ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
        : [node.text];
      const line = texts.some((text) => /\S \S/.test(text)) ? lineOfText(source, node) : null;
      if (line !== null && wide.has(line) && !isFixed(node.parent)) found.add(line + 1);
    } else ts.forEachChild(node, visit);
  };
  /** A specifier, a name, a type and a tagged text cannot be a sum of two. */
  const isFixed = (parent: Node) =>
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isLiteralTypeNode(parent) ||
    ts.isTaggedTemplateExpression(parent) ||
    ts.isExpressionStatement(parent);
  visit(source);
  return [...found];
}

/** Returns the line, from 0, of a text that begins and ends there and is too wide; null for any other text. */
function lineOfText(source: SourceFile, node: Node): number | null {
  const [from, to] = [node.getStart(source), node.getEnd()].map((place) => source.getLineAndCharacterOfPosition(place));
  const isWide = from !== undefined && from.line === to?.line && to.character > MAX_CODE - 2;
  return isWide ? from.line : null;
}
