/**
 * The part of a page about a cross-check, below the report: the two kernels that agreed, or how their runs differ. All
 * texts are escaped here.
 */
import type { CrossCheck, KernelRun } from "@svc/core";
import { counted, escapeAll, shorten, VERDICTS } from "@svc/report";
import { wrap } from "./text.ts";

const INDENT = { first: "  ", rest: "  " };
/** As wide as the longer kernel's name. */
const NAME_COLUMNS = "reference".length;

/** Returns the lines behind the page of the report. */
export function crossCheckLines(raw: CrossCheck): string[] {
  const { agree, first_difference: difference, runs } = escapeAll(raw);
  const names = runs.map(nameOf).join(" and ");
  if (agree) return wrap(`cross-checked: both kernels agree (${names})`, INDENT);
  const [left, right] = runs;
  return [
    "",
    ...wrap(`cross-checked: the kernels do NOT agree (${names})`, INDENT),
    "",
    ...wrap(`${said(left)}`, labelled(left)),
    ...wrap(`${said(right)}`, labelled(right)),
    ...(difference === null
      ? []
      : [
          "",
          ...wrap(`The reports first differ at ${difference.path}:`, INDENT),
          ...wrap(shorten(difference.values[0] ?? "(nothing)"), labelled(left)),
          ...wrap(shorten(difference.values[1] ?? "(nothing)"), labelled(right)),
        ]),
    "",
    ...wrap("--json prints both reports whole.", INDENT),
  ];
}

function nameOf({ kernel, kernel_sha256 }: KernelRun): string {
  return kernel_sha256 === null ? kernel : `${kernel} ${kernel_sha256.slice(0, 16)}…`;
}

function labelled({ kernel }: KernelRun): { first: string; rest: string } {
  const first = `    ${kernel.padEnd(NAME_COLUMNS)}  `;
  return { first, rest: " ".repeat(first.length) };
}

function said({ report, error }: KernelRun): string {
  if (report === null) return `failed: ${shorten(error ?? "")}`;
  const { verdict, problems } = report;
  const [problem] = problems;
  const why = problem === undefined ? "" : `, ${counted(problems.length, "problem")}, the first is ${problem.code}`;
  return `${VERDICTS[verdict].word}${why}`;
}
