/** The words of a call of the runner, read strictly. */

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { LEVELS } from "./cases/case.ts";
import { EXIT, Refusal } from "./exit.ts";

export const USAGE = `usage: node run.mjs --command "<program>" [options]

Holds a program that speaks the conformance protocol on its standard input and output to the cases of this kit.

  --command "<program>"     the program, by the shell, in the present folder
  --cases DIR               the cases; cases/ beside this file if it is not given
  --level N[,N]             these levels alone, of 1 to 7
  --only PATTERN            the cases whose name holds this text, or matches it whole with * and ?
  --jobs N                  so many processes of the program at once; 1 if it is not given
  --seconds S               how long an answer may take; 60 if it is not given
  --expect-failures FILE    the cases that fail, one name a line, # comments; one of them that passes fails the run
  --words                   compare what core's tables word as well: action, proves, does_not_prove
  --json, --junit, --html FILE   the result as JSON, as XML of JUnit, as one page
  --help                    this text

  --mutants N --against "<program>"   sends N mutants of cases, most of verify, to both programs, and compares their outcomes
  --seed S                  the seed of the mutants; the same mutants each time; 1 if it is not given
  --write DIR               where differences are written as cases, made small; ./found if it is not given

Exit codes: 0 no failure, 1 failures, 64 a wrong call, 66 a faulty set of cases, 70 an error of the runner,
73 a file that cannot be written.`;

/** The wishes of a call. */
export interface Call {
  readonly command: string;
  readonly cases: string;
  readonly levels: readonly number[];
  readonly only: string | null;
  readonly jobs: number;
  readonly seconds: number;
  readonly words: boolean;
  readonly expectFailures: string | null;
  readonly json: string | null;
  readonly junit: string | null;
  readonly html: string | null;
  /** The call asks for mutants in place of a run. */
  readonly mutants: {
    readonly count: number;
    readonly seed: number;
    readonly against: string;
    readonly write: string;
  } | null;
}

const TEXT = { type: "string" } as const;
const OPTIONS = {
  command: TEXT,
  cases: TEXT,
  level: TEXT,
  only: TEXT,
  jobs: TEXT,
  seconds: TEXT,
  "expect-failures": TEXT,
  words: { type: "boolean" },
  json: TEXT,
  junit: TEXT,
  html: TEXT,
  mutants: TEXT,
  seed: TEXT,
  against: TEXT,
  write: TEXT,
  help: { type: "boolean" },
} as const;
/** Options of mutants alone, and those that mean nothing there. */
const OF_MUTANTS = ["seed", "against", "write"] as const;
const NOT_OF_MUTANTS = ["expect-failures", "json", "junit", "html", "jobs"] as const;

/** Returns what a call asks for; null for `--help`. Throws Refusal, with `EXIT.usage`. */
export function readCall(words: readonly string[]): Call | null {
  const values = parse(words);
  if (values.help) return null;
  const { command = "", only = null, json = null, junit = null, html = null } = values;
  if (command.trim() === "") throw wrong("--command is missing: the program to test");
  const files = [json, junit, html].filter((file) => file !== null);
  if (new Set(files).size < files.length) throw wrong("--json, --junit and --html need a file each");
  return {
    command,
    cases: values.cases ?? fileURLToPath(new URL("cases", import.meta.url)),
    levels: (values.level ?? "")
      .split(",")
      .filter((text) => text !== "" || values.level !== undefined)
      .map(levelOf),
    only,
    jobs: integer("jobs", values.jobs, 1, 1, 64),
    seconds: integer("seconds", values.seconds, 60, 1, 86_400),
    words: values.words ?? false,
    expectFailures: values["expect-failures"] ?? null,
    json,
    junit,
    html,
    mutants: mutantsOf(values),
  };
}

function mutantsOf(values: ReturnType<typeof parse>): Call["mutants"] {
  if (values.mutants === undefined) {
    const surplus = OF_MUTANTS.find((name) => values[name] !== undefined);
    if (surplus !== undefined) throw wrong(`--${surplus} goes with --mutants`);
    return null;
  }
  const surplus = NOT_OF_MUTANTS.find((name) => values[name] !== undefined);
  if (surplus !== undefined) throw wrong(`--${surplus} does not go with --mutants`);
  const { against = "", write = "found" } = values;
  if (against.trim() === "") throw wrong("--mutants needs --against, the program to compare with");
  const count = integer("mutants", values.mutants, 1, 1, 1e9);
  return { count, seed: integer("seed", values.seed, 1, 0, 2 ** 32 - 1), against, write };
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS }).values;
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}

function levelOf(text: string): number {
  const level = LEVELS.find((one) => `${one}` === text.trim());
  if (level === undefined) throw wrong(`--level takes ${LEVELS[0]} to ${LEVELS.at(-1)}, with commas between them`);
  return level;
}

function integer(name: string, text: string | undefined, otherwise: number, least: number, most: number): number {
  if (text === undefined) return otherwise;
  const value = /^(?:0|[1-9][0-9]{0,11})$/.test(text) ? Number(text) : -1;
  if (value < least || value > most) throw wrong(`--${name} takes an integer of ${least} to ${most}`);
  return value;
}

function wrong(message: string): Refusal {
  return new Refusal(EXIT.usage, `${message}\n\nnode run.mjs --help says how to call it`);
}
