/** One problem of a report in words: where it is by path and by event number, what is wrong, expected, actual. Its texts are escaped already. */
import { CODES, MEANINGS, type Problem } from "@svc/core";
import { escapeText } from "./escape.ts";
import { lineAndColumn } from "./evidence.ts";
import { grouped, groupedIn, shorten } from "./numbers.ts";
import { isDistrust } from "./words.ts";

/** How much of a text is shown where it is no JSON. */
const SHOWN_CHARACTERS = 24;

/** A problem as people read it. */
export interface DescribedProblem {
  readonly code: Problem["code"];
  /** Whether it leaves the evidence unbroken, and only says that trust does not reach its signer. */
  readonly isDistrust: boolean;
  /** Empty where it is the whole file. */
  readonly place: string;
  readonly sentences: readonly string[];
  /** Empty where there is none. */
  readonly expected: string;
  readonly actual: string;
}

/** Describes a problem. `bytes` are those that were verified: a fault of JSON is shown by its line. */
export function describeProblem(problem: Problem, bytes: Uint8Array): DescribedProblem {
  const { code, path, message } = problem;
  const said = { code, isDistrust: isDistrust(problem) };
  if (CODES[code].check === "json" && path === "")
    return { ...said, place: "", sentences: jsonFault(problem, bytes), expected: "", actual: "" };
  const number = numberOf(problem);
  const isSaid = number !== null && new RegExp(`\\b${number}\\b`, "i").test(message);
  // What stands at the top is the whole, whose number the heading says.
  const place =
    number === null || isSaid || path.lastIndexOf("/") <= 0 ? shorten(path) : `${shorten(path)} (${groupedIn(number)})`;
  return { ...said, place, sentences: [groupedIn(shorten(message))], ...comparison(problem) };
}

/** What it is about by its number, the smallest thing there is. */
function numberOf({ seq_no, window_no, checkpoint_no }: Problem): string | null {
  if (seq_no !== undefined) return `event ${seq_no}`;
  if (window_no !== undefined) return `window ${window_no}`;
  return checkpoint_no === undefined ? null : `checkpoint ${checkpoint_no}`;
}

function comparison({ expected = "", actual = "" }: Problem): { expected: string; actual: string } {
  const [left, right] = [shorten(expected), shorten(actual)];
  // Two values that look alike once shortened are shown whole.
  return left === right ? { expected, actual } : { expected: left, actual: right };
}

/** The parser tells a byte; people look for a line. */
function jsonFault({ code, actual = "0" }: Problem, bytes: Uint8Array): string[] {
  const offset = Number(actual);
  const { line, column } = lineAndColumn(bytes, offset);
  const where = `At byte ${grouped(offset)}: line ${grouped(line)}, byte ${grouped(column)} of that line.`;
  const there = endsEarly(bytes, offset)
    ? "There the file ends, in the middle of its text: it was cut off."
    : `There stands: ${beginningAt(bytes, offset)}`;
  return [MEANINGS[code], where, there];
}

/** The first characters from a byte onward, to the end of their line, as they may be shown. */
function beginningAt(bytes: Uint8Array, offset: number): string {
  // No character has more than four bytes, and the last one may be cut.
  const text = new TextDecoder().decode(bytes.subarray(offset, offset + 4 * SHOWN_CHARACTERS + 3));
  const [line = ""] = text.split(/(?<=.)\r?\n/s);
  return escapeText([...line].slice(0, SHOWN_CHARACTERS).join(""));
}

/** Whether the parser ran out of bytes: at the end, or in the middle of a last character. */
export function endsEarly(bytes: Uint8Array, offset: number): boolean {
  const left = bytes.subarray(offset);
  const [lead = 0] = left;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
  return left.length < length || left.length === 0;
}
