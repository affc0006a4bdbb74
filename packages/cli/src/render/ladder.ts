/** The assurance ladder as lines. The package report has the words of its steps. */
import type { Report } from "@svc/core";
import { ladderOf, type Step } from "@svc/report";
import type { Paint } from "./color.ts";
import { wrap } from "./text.ts";

/** Returns the ladder of an object that was not rejected, as lines. */
export function ladder(report: Report, paint: Paint): string[] {
  return ladderOf(report).flatMap((step) => lines(step, paint));
}

function lines({ name, mark, tone, text }: Step, paint: Paint): string[] {
  const label = `  ${name.padEnd(11)}`;
  const [first = "", ...rest] = wrap(text, { first: `${label}${mark}  `, rest: " ".repeat(label.length + 3) });
  return [tone === null ? first : first.replace(mark, paint(tone, mark)), ...rest];
}
