/**
 * The problems of a report for a person: the fault, its place by path and by event number, expected, actual, the next
 * step. Texts of the report are escaped already.
 */
import type { Problem } from "@svc/core";
import { counted, type DescribedProblem, describeProblem, inOrder } from "@svc/report";
import type { Paint } from "./color.ts";
import { COLUMNS, wrap } from "./text.ts";

/** A person is shown so many problems; `--json` lists all. */
export const SHOWN_PROBLEMS = 5;

const INDENT = { first: "    ", rest: "    " };

/** Returns first the faults, then the problems of trust. The same advice is given once, an empty one not at all. */
export function problemLines(problems: readonly Problem[], bytes: Uint8Array, paint: Paint): string[] {
  const advised = new Set([""]);
  const shown = inOrder(problems).slice(0, SHOWN_PROBLEMS);
  const lines = shown.flatMap((problem) => {
    const action = advised.has(problem.action) ? [] : wrap(`What to do: ${problem.action}`, INDENT);
    advised.add(problem.action);
    return [...one(describeProblem(problem, bytes), paint), ...action, ""];
  });
  const more = problems.length - SHOWN_PROBLEMS;
  if (more > 0) lines.push(...wrap(`... and ${counted(more, "more problem")}; --json lists all.`, INDENT), "");
  return lines;
}

function one({ code, isDistrust, place, sentences, expected, actual }: DescribedProblem, paint: Paint): string[] {
  const mark = isDistrust ? paint("warn", "◐") : paint("bad", "✗");
  const isShort = 4 + code.length + 3 + place.length <= COLUMNS;
  return [
    `  ${mark} ${code}${place !== "" && isShort ? `   ${place}` : ""}`,
    ...(isShort ? [] : wrap(`at ${place}`, INDENT)),
    ...sentences.flatMap((sentence) => wrap(sentence, INDENT)),
    ...compared("expected", expected),
    ...compared("actual  ", actual),
  ];
}

function compared(label: string, text: string): string[] {
  return text === "" ? [] : wrap(text, { first: `    ${label}  `, rest: " ".repeat(14) });
}
