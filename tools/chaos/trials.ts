/** The common parts of all trials: their arguments, the program under test, a folder, and their exit. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Program } from "./program.ts";
import { type Call, readCall } from "./read-call.ts";
import { Violation } from "./violation.ts";

const WRONG_CALL = 64;

/** A program under test. `end` kills all its processes that still run. */
interface Ending {
  end(): void;
}

export interface Trials<Name extends string, Summary, Tested extends Ending = Program> {
  /** As in `pnpm chaos:<name>`; none for `pnpm chaos` itself. */
  readonly name?: string;
  /** The meaning of a round, if it is not obvious. */
  readonly roundsAre?: string;
  readonly defaultRounds: number;
  /** Further options that take a whole number, with their defaults. */
  readonly numbers?: Readonly<Record<Name, number>>;
  /** Builds the program under test into a folder; `svc-server` if it is missing. */
  readonly build?: (folder: string) => Promise<Tested>;
  /** Throws Violation after a violation. `seen` is reported with it. */
  readonly run: (program: Tested, folder: string, call: Call<Name>, seen: Record<string, number>) => Promise<Summary>;
  readonly inWords: (summary: Summary) => string;
}

/** Resolves to the exit code: 0; 1 after a violation, which keeps the folder; 64 for a wrong call. */
export async function runTrials<Summary, Name extends string = never, Tested extends Ending = Program>(
  trials: Trials<Name, Summary, Tested>,
): Promise<number> {
  const { name, defaultRounds, numbers, build = Program.build, run, inWords } = trials;
  const call = readCall(defaultRounds, numbers);
  if (call === null) {
    console.error(usage(trials));
    return WRONG_CALL;
  }
  const folder = mkdtempSync(join(tmpdir(), `svc-chaos-${name === undefined ? "" : `${name}-`}`));
  const program = (await build(folder)) as Tested;
  const seen: Record<string, number> = {};
  try {
    const summary = await run(program, folder, call, seen);
    console.log(call.json ? JSON.stringify(summary) : inWords(summary));
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    const after = Object.keys(seen).length === 0 ? "" : `, after ${JSON.stringify(seen)}`;
    console.error(`chaos: ${error.message}\nseed ${call.seed}${after}; see ${folder}`);
    return 1;
  } finally {
    program.end();
  }
  rmSync(folder, { recursive: true });
  return 0;
}

/** Shows the current trial on a terminal. */
export function showProgress(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${what}\u001b[K`);
}

function usage<Name extends string>({
  name,
  roundsAre = "number",
  defaultRounds,
  numbers,
}: Pick<Trials<Name, unknown, never>, "name" | "roundsAre" | "defaultRounds" | "numbers">): string {
  const others = Object.entries(numbers ?? {}).map(([one, value]) => `[--${one} <number, default ${value}>] `);
  const command = name === undefined ? "chaos" : `chaos:${name}`;
  return (
    `usage: pnpm ${command} [--rounds <${roundsAre}, default ${defaultRounds}>] ${others.join("")}[--seed ` +
    `<number>] [--json]`
  );
}
