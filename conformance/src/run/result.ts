/** The result of a run: level by level, and each failure with its differences. Equal but for its times each time. */
import type { Case } from "../cases/case.ts";
import type { CaseSet } from "../cases/read.ts";
import type { Difference } from "../judge/difference.ts";
import { type Judgement, notAsked } from "../judge/judge.ts";
import { END, type Handshake, HELLO, type Implementation } from "./hello.ts";

export interface LevelResult {
  readonly level: number;
  readonly passed: number;
  readonly failed: number;
  readonly unsupported: number;
  readonly cases: number;
}

export interface Failure {
  readonly name: string;
  readonly level: number;
  readonly differences: readonly Difference[];
  /** The list of expected failures names it. */
  readonly expected: boolean;
}

/** The JSON of `--json`. */
export interface Result {
  /** The runner's name and version. */
  readonly runner: string;
  readonly case_set: { readonly sha256: string; readonly cases: number };
  /** Null for a program that states no version. */
  readonly implementation: Implementation | null;
  readonly command: string;
  /** Level 0 is the handshake; then each level that has a chosen case, ascending. */
  readonly levels: readonly LevelResult[];
  readonly failures: readonly Failure[];
  readonly unsupported: readonly string[];
  /** Names of the list of expected failures that passed. */
  readonly unexpected_passes: readonly string[];
  readonly started_at: string;
  readonly seconds: number;
}

/** The parts of a result. `judgements` has the places of `cases`. */
export interface Run {
  readonly runner: string;
  readonly caseSet: CaseSet;
  readonly command: string;
  readonly cases: readonly Case[];
  readonly judgements: readonly (Judgement | undefined)[];
  readonly handshake: Handshake;
  /** The fault of the program's end, as a predicate, or null. */
  readonly end: string | null;
  readonly expectedFailures: ReadonlySet<string>;
  readonly startedAt: Date;
  readonly seconds: number;
}

export function resultOf(run: Run): Result {
  const handshake: Judged[] = [{ name: HELLO, level: 0, ...run.handshake }];
  if (run.end !== null) {
    const differences = [
      { member: "", wanted: "exit code 0 at the end of its input", given: `the program ${run.end}` },
    ];
    handshake.push({ name: END, level: 0, state: "failed", differences });
  }
  const all: Judged[] = [
    ...handshake,
    ...run.cases.map(({ name, level }, index) => ({ name, level, ...(run.judgements[index] ?? notAsked("stopped")) })),
  ];
  const levels = [...new Set(all.map(({ level }) => level))].sort();
  return {
    runner: run.runner,
    case_set: { sha256: run.caseSet.sha256, cases: run.caseSet.cases.length },
    implementation: run.handshake.implementation,
    command: run.command,
    levels: levels.map((level) => levelOf(level, all)),
    failures: all
      .filter(({ state }) => state === "failed")
      .map(({ name, level, differences }) => ({ name, level, differences, expected: run.expectedFailures.has(name) })),
    unsupported: namesOf(all, "unsupported"),
    unexpected_passes: namesOf(all, "passed").filter((name) => run.expectedFailures.has(name)),
    started_at: run.startedAt.toISOString(),
    seconds: run.seconds,
  };
}

/** Says whether a run holds: no failure that was not expected, and no expected one that did not happen. */
export function holds({ failures, unexpected_passes }: Result): boolean {
  return unexpected_passes.length === 0 && failures.every(({ expected }) => expected);
}

interface Judged extends Pick<Judgement, "state" | "differences"> {
  readonly name: string;
  readonly level: number;
}

function levelOf(level: number, all: readonly Judged[]): LevelResult {
  const own = all.filter((one) => one.level === level);
  const count = (state: Judged["state"]) => namesOf(own, state).length;
  return {
    level,
    passed: count("passed"),
    failed: count("failed"),
    unsupported: count("unsupported"),
    cases: own.length,
  };
}

function namesOf(all: readonly Judged[], wanted: Judged["state"]): string[] {
  return all.filter(({ state }) => state === wanted).map(({ name }) => name);
}
