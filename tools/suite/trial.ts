/**
 * One run of test files, from its choice to its last lines: group after group, the longest file first, then what failed
 * once more, alone.
 */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { LEFT_OUT } from "@svc/testkit/drivers";
import { commitTime } from "./changes.ts";
import { CONCURRENCY } from "./choose.ts";
import { readCosts } from "./costs.ts";
import { watchIdle } from "./idle.ts";
import { longestFirst, nameOf, type Tier, testFiles, tierOf, type Unit } from "./plan.ts";
import { readQuarantine } from "./quarantine.ts";
import { type Ended, type Outcome, type RunOptions, runUnits, sumOf, writeClosing } from "./runner.ts";
import { groupOf, openSession, type Session } from "./session.ts";
import { summaryOf } from "./summary.ts";
import { type Failed, judge } from "./verdict.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Files of the real tier are a processor's work each. */
const REAL_CONCURRENCY = 2;
/** By tier: more than ten times what its longest file takes on an idle machine. A file that hangs ends then. */
const TIMEOUT_MS: Readonly<Record<Tier, number>> = { quick: 360_000, slow: 1_200_000, real: 3_600_000 };

/** How a run stands to others. */
export interface Surroundings {
  /** Called each time that a file has ended, with what counts as its result. */
  readonly onEnd?: ((ended: Ended) => void) | undefined;
  /** The failures of earlier runs of the same commit, in files that passed later or run now. */
  readonly earlier?: readonly Failed[];
}

/** Runs units, and writes the report with the closing lines at its end. Resolves to whether all is green. */
export async function tryUnits(units: readonly Unit[], { onEnd, earlier = [] }: Surroundings = {}): Promise<boolean> {
  const begin = performance.now();
  const session = await openSession();
  try {
    const idle = watchIdle();
    const { costs } = readCosts(new URL("costs.json", import.meta.url));
    const outcomes: Outcome[] = [];
    const told = (ended: Ended) => onEnd?.(withoutGaps(ended));
    const left = units.filter(({ form }) => form !== "postgres" || session.hasPostgres);
    for (const group of groupsOf(left)) {
      const [first] = group;
      if (first === undefined) continue;
      const tier = tierOf(first.file);
      const concurrency = tier === "real" ? REAL_CONCURRENCY : CONCURRENCY;
      const options = { ...optionsOf(first, session), concurrency, onEnd: told };
      outcomes.push(...(await runUnits(longestFirst(group, costs.seconds), options)).map(withoutGaps));
    }
    const idleShare = idle();
    const quarantine = readQuarantine(
      new URL("quarantine.json", import.meta.url),
      testFiles(ROOT),
      Math.max(Date.now(), commitTime(ROOT)),
    );
    const excused = new Set(quarantine.entries.map(({ name }) => name));
    const again = await runAlone(
      outcomes.filter(({ passed, unit }) => !passed && !excused.has(unit.file)),
      session,
      told,
    );
    const failed = outcomes.flatMap(({ unit, passed, failure }): Failed[] =>
      passed ? [] : [{ unit, failure, passedAlone: again.get(nameOf(unit))?.passed ?? null }],
    );
    const failing = new Set(failed.map(({ unit }) => nameOf(unit)));
    const since = earlier.filter(({ unit }) => !failing.has(nameOf(unit)));
    const { isGreen, lines } = judge([...since, ...failed], quarantine);
    process.stdout.write(summaryOf(outcomes, { idleShare, verdict: lines, known: costs.seconds }));
    const last = outcomes.map((outcome) => again.get(nameOf(outcome.unit)) ?? outcome);
    await writeClosing(sumOf(last.map(({ counts }) => counts)), performance.now() - begin);
    return isGreen;
  } finally {
    session.close();
  }
}

/** Returns the groups in their order: units that share an environment, those of the real tier apart and at the end. */
function groupsOf(units: readonly Unit[]): Unit[][] {
  const groups = Map.groupBy(units, (unit) => (tierOf(unit.file) === "real" ? "real" : groupOf(unit)));
  return ["quick", "slow", "postgres", "real"].map((name) => groups.get(name as "real") ?? []);
}

/** Returns how units of a group run in a session. Properties in full take as long as slow files. */
export function optionsOf(unit: Unit, session: Session): Omit<RunOptions, "concurrency"> {
  const tier = unit.form === "full" ? "slow" : tierOf(unit.file);
  return { environment: session.environmentOf(unit), timeoutMs: TIMEOUT_MS[tier], folder: session.folder };
}

/** Runs again what failed, one file at a time. Resolves to the results by name. */
async function runAlone(
  failed: readonly Outcome[],
  session: Session,
  onEnd: RunOptions["onEnd"],
): Promise<Map<string, Outcome>> {
  const again = new Map<string, Outcome>();
  for (const { unit } of failed) {
    console.log(`\nAgain, alone: ${nameOf(unit)}`);
    for (const outcome of await runUnits([unit], { ...optionsOf(unit, session), concurrency: 1, onEnd }))
      again.set(nameOf(unit), withoutGaps(outcome));
  }
  return again;
}

/**
 * Returns the result, failed where a test was left out and may not be: under CI no program is missing, and the only
 * reason is that another store keeps no files.
 */
function withoutGaps<Result extends Ended>(outcome: Result): Result {
  const allowed: readonly string[] = outcome.unit.form === "postgres" ? Object.values(LEFT_OUT) : [];
  const gap = process.env.CI ? outcome.leftOut.find(({ reason }) => !allowed.includes(reason)) : undefined;
  if (gap === undefined) return outcome;
  return {
    ...outcome,
    passed: false,
    failure: outcome.failure ?? `left out, and may not be: ${gap.name}: ${gap.reason}`,
  };
}
