/**
 * One problem of a report in words: its place by path and by event number, the fault, the expected and the actual
 * value. Its texts are escaped already.
 */
import { CODES, MEANINGS, type Problem } from "@svc/core";
import { escapeText } from "./escape.ts";
import { lineAndColumn } from "./evidence.ts";
import { grouped, groupedIn, shorten } from "./numbers.ts";
import { isDistrust } from "./words.ts";

/** How many characters are shown of a text that is no JSON. */
const SHOWN_CHARACTERS = 24;

/** A problem as people read it. */
export interface DescribedProblem {
  readonly code: Problem["code"];
  /** Whether the evidence stays unbroken, and only trust does not reach its signer. */
  readonly isDistrust: boolean;
  /** Empty if the problem is about the whole file. */
  readonly place: string;
  readonly sentences: readonly string[];
  /** Empty if the problem names none. */
  readonly expected: string;
  readonly actual: string;
}

/** Describes a problem. `bytes` are the bytes that were verified: a fault of JSON is shown by its line. */
export function describeProblem(problem: Problem, bytes: Uint8Array): DescribedProblem {
  const { code, path, message } = problem;
  const said = { code, isDistrust: isDistrust(problem) };
  if (CODES[code].check === "json" && path === "")
    return { ...said, place: "", sentences: jsonFault(problem, bytes), expected: "", actual: "" };
  const number = numberOf(problem);
  const isSaid = number !== null && new RegExp(`\\b${number}\\b`, "i").test(message);
  // The root object is the whole, and the heading says its number.
  const place =
    number === null || isSaid || path.lastIndexOf("/") <= 0 ? shorten(path) : `${shorten(path)} (${groupedIn(number)})`;
  return { ...said, place, sentences: [groupedIn(shorten(message))], ...comparison(problem) };
}

/** Returns the number of the smallest thing that the problem is about. */
function numberOf({ seq_no, window_no, checkpoint_no }: Problem): string | null {
  if (seq_no !== undefined) return `event ${seq_no}`;
  if (window_no !== undefined) return `window ${window_no}`;
  return checkpoint_no === undefined ? null : `checkpoint ${checkpoint_no}`;
}

function comparison({ expected = "", actual = "" }: Problem): { expected: string; actual: string } {
  const [left, right] = [shorten(expected), shorten(actual)];
  // Two values that look alike when shortened are shown whole.
  return left === right ? { expected, actual } : { expected: left, actual: right };
}

/** The parser names a byte; people look for a line. */
function jsonFault({ code, actual = "0" }: Problem, bytes: Uint8Array): string[] {
  const offset = Number(actual);
  const { line, column } = lineAndColumn(bytes, offset);
  const where = `At byte ${grouped(offset)}: line ${grouped(line)}, byte ${grouped(column)} of that line.`;
  const there = endsEarly(bytes, offset)
    ? "There the file ends, in the middle of its text: it was cut off."
    : `Found there: ${beginningAt(bytes, offset)}`;
  return [MEANINGS[code], where, there];
}

/** Returns the text from a byte to the end of its line, cut to the first characters, safe to show. */
function beginningAt(bytes: Uint8Array, offset: number): string {
  // No character has more than four bytes, and the last one may be cut.
  const text = new TextDecoder().decode(bytes.subarray(offset, offset + 4 * SHOWN_CHARACTERS + 3));
  const [line = ""] = text.split(/(?<=.)\r?\n/s);
  return escapeText([...line].slice(0, SHOWN_CHARACTERS).join(""));
}

/** Says whether the parser ran out of bytes: at the end, or in the middle of a last character. */
export function endsEarly(bytes: Uint8Array, offset: number): boolean {
  const left = bytes.subarray(offset);
  const [lead = 0] = left;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
  return left.length < length || left.length === 0;
}
