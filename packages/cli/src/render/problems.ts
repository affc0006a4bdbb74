/**
 * The problems of a report for a person: what, where by path and by event number, expected, actual, what to do. Texts of the report
 * are escaped already.
 */
import { CODES, MEANINGS, type Problem } from "@svc/core";
import { type Evidence, lineAndColumn, numberedPlace } from "../evidence.ts";
import type { Paint } from "./color.ts";
import { COLUMNS, counted, grouped, shorten, wrap } from "./text.ts";
import { isDistrust } from "./words.ts";

/** How many problems a person is shown; `--json` lists all. */
export const SHOWN_PROBLEMS = 5;

const INDENT = { first: "    ", rest: "    " };

/** What does not hold first, then what is only not trusted. The same advice is given once, an empty one not at all. */
export function problemLines(problems: readonly Problem[], evidence: Evidence, paint: Paint): string[] {
  const ordered = [...problems.filter((problem) => !isDistrust(problem)), ...problems.filter(isDistrust)];
  const advised = new Set([""]);
  const lines = ordered.slice(0, SHOWN_PROBLEMS).flatMap((problem) => {
    const action = advised.has(problem.action) ? [] : wrap(`What to do: ${problem.action}`, INDENT);
    advised.add(problem.action);
    return [...one(problem, evidence, paint), ...action, ""];
  });
  const more = problems.length - SHOWN_PROBLEMS;
  if (more > 0) lines.push(...wrap(`... and ${counted(more, "more problem")}; --json lists all.`, INDENT), "");
  return lines;
}

function one(problem: Problem, evidence: Evidence, paint: Paint): string[] {
  const { code, expected, actual } = problem;
  const mark = isDistrust(problem) ? paint("warn", "◐") : paint("bad", "✗");
  if (CODES[code].check === "json" && problem.path === "")
    return [`  ${mark} ${code}`, ...jsonFault(problem, evidence)];
  const number = numberedPlace(evidence, problem.path);
  const said = number !== null && new RegExp(`\\b${number}\\b`, "i").test(problem.message);
  const path = shorten(problem.path);
  const place = number === null || said ? path : `${path} (${number})`;
  const isShort = 4 + code.length + 3 + place.length <= COLUMNS;
  return [
    `  ${mark} ${code}${place !== "" && isShort ? `   ${place}` : ""}`,
    ...(isShort ? [] : wrap(`at ${place}`, INDENT)),
    ...wrap(shorten(problem.message), INDENT),
    ...comparison(expected, actual),
  ];
}

function comparison(expected: string | undefined, actual: string | undefined): string[] {
  const both = [expected, actual].map((text) => (text === undefined ? undefined : shorten(text)));
  // Two values that look alike once shortened are shown whole.
  const [shownExpected, shownActual] = both[0] === both[1] ? [expected, actual] : both;
  const line = (label: string, text: string | undefined) =>
    text === undefined || text === "" ? [] : wrap(text, { first: `    ${label}  `, rest: " ".repeat(14) });
  return [...line("expected", shownExpected), ...line("actual  ", shownActual)];
}

/** The parser tells a byte; people look for a line. */
function jsonFault({ code, actual = "0" }: Problem, { bytes }: Evidence): string[] {
  const offset = Number(actual);
  const { line, column } = lineAndColumn(bytes, offset);
  const where = `At byte ${grouped(offset)}: line ${grouped(line)}, byte ${grouped(column)} of that line.`;
  return [
    ...wrap(MEANINGS[code], INDENT),
    ...wrap(where, INDENT),
    ...(endsEarly(bytes, offset)
      ? wrap("There the file ends, in the middle of its text: it was cut off.", INDENT)
      : []),
  ];
}

/** Whether the parser ran out of bytes: at the end, or in the middle of a last character. */
function endsEarly(bytes: Uint8Array, offset: number): boolean {
  const left = bytes.subarray(offset);
  const [lead = 0] = left;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
  return left.length < length || left.length === 0;
}
