/** The faults that can be planted in a source: small changes of one line of code, by a table for each language. */
import { sqlChanges } from "../../mutants/sql.ts";
import { type Language, languageOf, masked } from "./masked.ts";

/** A change of one line. */
export interface Fault {
  /** The path of its file, from the root of the repository. */
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  /** The line, and what is there instead: null for nothing, not even a line end. */
  readonly from: string;
  readonly to: string | null;
  readonly kind: string;
}

/** A change by what it finds in code, and what it puts there. */
interface Rule {
  readonly kind: string;
  readonly pattern: RegExp;
  readonly with: (found: string, ...groups: string[]) => string;
}

const swap = (kind: string, a: string, b: string): Rule => {
  const escaped = (text: string) => text.replaceAll(/[|.()+*]/g, "\\$&");
  return { kind, pattern: new RegExp(`${escaped(a)}|${escaped(b)}`, "g"), with: (found) => (found === a ? b : a) };
};
const BOUNDARIES: readonly Rule[] = [swap("boundary", " < ", " <= "), swap("boundary", " > ", " >= ")];
const STEPS: Rule = { kind: "step", pattern: /([+-] ?)1\b(?![.\w])/g, with: (_, sign = "") => `${sign}2` };

const RULES: Readonly<Record<Language, readonly Rule[]>> = {
  go: [
    swap("equality", " == ", " != "),
    ...BOUNDARIES,
    swap("connective", " && ", " || "),
    { kind: "boolean", pattern: /\b(?:true|false)\b/g, with: (found) => (found === "true" ? "false" : "true") },
    { kind: "condition", pattern: /(?<=\bif )([^;{}]+)(?= \{$)/g, with: (found) => `!(${found})` },
    STEPS,
  ],
  python: [
    swap("equality", " == ", " != "),
    ...BOUNDARIES,
    swap("connective", " and ", " or "),
    {
      kind: "none",
      pattern: / is (?:not )?None\b/g,
      with: (found) => (found === " is None" ? " is not None" : " is None"),
    },
    { kind: "boolean", pattern: /\b(?:True|False)\b/g, with: (found) => (found === "True" ? "False" : "True") },
    { kind: "condition", pattern: /(?<=^\s*(?:if|elif) )(.+)(?=:$)/g, with: (found) => `not (${found})` },
    STEPS,
  ],
  ts: [
    swap("equality", " === ", " !== "),
    ...BOUNDARIES,
    swap("connective", " && ", " || "),
    {
      kind: "boolean",
      pattern: /\b(?:true|false)\b(?!;?\s*\})/g,
      with: (found) => (found === "true" ? "false" : "true"),
    },
    {
      kind: "quantifier",
      pattern: /\.(?:some|every)\(/g,
      with: (found) => (found === ".some(" ? ".every(" : ".some("),
    },
    {
      kind: "extreme",
      pattern: /\bMath\.(?:min|max)\(/g,
      with: (found) => (found === "Math.min(" ? "Math.max(" : "Math.min("),
    },
    STEPS,
  ],
};

/**
 * Lines that are left alone: imports, types, what is said to people or to a log, and what makes no difference that a
 * test can see, as the end of a timer or the sign of a comparison for a sort.
 */
const LEFT_ALONE: Readonly<Record<Language, RegExp>> = {
  go: /^\s*(?:import|package|type|func|\)|\})|\b(?:log|fmt)\.|errors\.New|panic\(/,
  python: /^\s*(?:import|from|class|def|@|assert )|\b(?:print|logging|log|repr|__tracebackhide__)\b/,
  ts: /^\s*(?:import|export (?:type|interface|\{|\*)|type|interface|readonly|declare|\||\}|case ".*":$)|console\.|\blog\b|: (?:boolean|true|false);$|message:|\bfailpoint\(|process\.std|\b(?:Pick|Omit)<|\? -1 : 1|\bclear(?:Timeout|Interval)\(|\.unref\(/,
};
/** A statement that fills a line, calls something, and uses no result. */
const CALL: Readonly<Record<Language, RegExp>> = {
  go: /^\t+(?!defer|go |return|panic)[\w.]+\(.*\)$/,
  python: /^\s+(?!return|raise|yield|super|assert)[\w.]+\(.*\)$/,
  ts: /^\s+(?:await )?(?!return|throw|super|if|for|while|assert)[\w.#]+\(.*\);$/,
};
/** The text of a code, an error's or a check's name. */
const CODE = /"([a-z]+(?:_[a-z0-9]+)+)"/g;
const ORDER = /\b(?:ASC|DESC)\b/g;

/** Returns the faults that a source can have, in the order of their lines. */
export function faultsOf(file: string, text: string): Fault[] {
  const language = languageOf(file);
  const lines = text.split("\n");
  const code = masked(text, language).split("\n");
  const sql = language === "ts" ? sqlFaults(file, text) : [];
  return [...lines.flatMap((from, index) => ofLine(file, index, from, code[index] ?? "", language)), ...sql].sort(
    (a, b) => a.line - b.line,
  );
}

function ofLine(file: string, index: number, from: string, code: string, language: Language): Fault[] {
  if (code.trim() === "" || LEFT_ALONE[language].test(code)) return [];
  const faults: Fault[] = [];
  const add = (kind: string, to: string | null) => faults.push({ file, line: index + 1, from, to, kind });
  for (const { kind, pattern, with: replaced } of RULES[language])
    for (const found of code.matchAll(pattern)) {
      // A condition has strings in it, which the blanked line lacks.
      const original = from.slice(found.index, found.index + found[0].length);
      const to = replaced(original, ...found.slice(1).map((group) => group ?? ""));
      add(kind, from.slice(0, found.index) + to + from.slice(found.index + found[0].length));
    }
  if (language === "ts") {
    const negated = negatedCondition(from, code);
    if (negated !== null) add("condition", negated);
  }
  if (CALL[language].test(code) && isBalanced(code)) add("call", null);
  if (!/\b(?:throw|raise)\b|Error\(/.test(code))
    for (const { index: at, 0: all, 1: name = "" } of from.matchAll(CODE))
      if (code[at] === '"') add("code", `${from.slice(0, at)}"${name}_x"${from.slice(at + all.length)}`);
  return faults;
}

/** Returns the line with its condition turned around; null if it has none that ends on it. */
function negatedCondition(from: string, code: string): string | null {
  const start = /^\s*(?:\} else )?if \(/.exec(code)?.[0].length;
  if (start === undefined) return null;
  let open = 1;
  for (let at = start; at < code.length; at++) {
    if (code[at] === "(") open++;
    if (code[at] === ")") open--;
    if (open === 0) return `${from.slice(0, start)}!(${from.slice(start, at)})${from.slice(at)}`;
  }
  return null;
}

function isBalanced(code: string): boolean {
  return code.split("(").length === code.split(")").length && code.split("{").length === code.split("}").length;
}

/** Returns the faults of SQL: conditions, and orders turned around. */
function sqlFaults(file: string, text: string): Fault[] {
  const orders = /ORDER BY/.test(text)
    ? [...text.matchAll(ORDER)].map(({ index, 0: found }) => ({
        start: index,
        end: index + found.length,
        replacement: found === "ASC" ? "DESC" : "ASC",
      }))
    : [];
  return [...sqlChanges(text), ...orders].flatMap(({ start, end, replacement }) => {
    const line = text.slice(0, start).split("\n").length;
    const from = text.split("\n")[line - 1] ?? "";
    const column = start - (text.lastIndexOf("\n", start - 1) + 1);
    if (text.slice(start, end).includes("\n")) return [];
    const to = from.slice(0, column) + replacement + from.slice(column + end - start);
    return [{ file, line, from, to, kind: "sql" }];
  });
}

/** Returns the text with a fault in it. Throws if its line is not there. */
export function planted(text: string, { file, line, from, to }: Fault): string {
  const lines = text.split("\n");
  if (lines[line - 1] !== from) throw new Error(`${file}:${line} is another line than the fault's`);
  lines.splice(line - 1, 1, ...(to === null ? [] : [to]));
  return lines.join("\n");
}
