/** The lines of a run between its last test and the runner's closing lines. */
import { nameOf } from "./plan.ts";
import type { Outcome } from "./runner.ts";

const SHOWN = 10;
/** Longer lists of what was left out for one reason end here. */
const NAMED = 5;

/** Further facts about a run. */
export interface Remarks {
  /** The idle share of one processor in the last fifth of the run. */
  readonly idleShare: number;
  /** The lines about failures. */
  readonly verdict: readonly string[];
  /** The seconds that each unit was taken to need. */
  readonly known: Readonly<Record<string, number>>;
}

/** Returns the text, which begins and ends with an empty line. */
export function summaryOf(outcomes: readonly Outcome[], { idleShare, verdict, known }: Remarks): string {
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const expected = outcomes.filter(({ unit }) => known[nameOf(unit)] !== undefined);
  const ratio =
    expected.reduce((total, { seconds }) => total + seconds, 0) /
    expected.reduce((total, { unit }) => total + (known[nameOf(unit)] ?? 0), 0);
  const parts = [
    [`The slowest of ${outcomes.length} files:`, ...greatest(outcomes, ({ seconds }) => seconds)],
    [
      `Processor time, ${sum(({ processorSeconds }) => processorSeconds).toFixed(0)} s in all; the most was used by:`,
      ...greatest(outcomes, ({ processorSeconds }) => processorSeconds),
    ],
    Number.isFinite(ratio) ? [`These files took ${ratio.toFixed(2)} times what tools/suite/costs.json has.`] : [],
    [`Idle in the last fifth: ${Math.round(idleShare * 100)} % of a processor.`],
    leftOutLines(outcomes),
    [...verdict],
  ];
  return `\n${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n")}\n`;
}

function greatest(outcomes: readonly Outcome[], of: (outcome: Outcome) => number): string[] {
  const first = outcomes.toSorted((a, b) => of(b) - of(a)).slice(0, SHOWN);
  return first.map((outcome) => `${of(outcome).toFixed(1).padStart(8)} s  ${nameOf(outcome.unit)}`);
}

/** Returns what was left out, by reason. */
function leftOutLines(outcomes: readonly Outcome[]): string[] {
  const all = outcomes.flatMap(({ leftOut }) => leftOut);
  if (all.length === 0) return [];
  return [
    `Left out, ${all.length} tests:`,
    ...[...Map.groupBy(all, ({ reason }) => reason)].map(([reason, tests]) => {
      const more = tests.length > NAMED ? `, and ${tests.length - NAMED} more` : "";
      return `  ${reason}: ${tests
        .slice(0, NAMED)
        .map(({ name }) => name)
        .join("; ")}${more}`;
    }),
  ];
}
