/** A judge's process seen from outside: requests go one at a time, and a request that hangs ends the process. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Judged, Loaded, Measured, Request, Run } from "./judge.ts";

const HOOK = new URL("hook.ts", import.meta.url).href;
const JUDGE = fileURLToPath(new URL("judge.ts", import.meta.url));

/** Work without any mutant that takes longer, in ms, hangs. */
const UNCHANGED_MS = 600_000;
/** How many times as long as a test a file may take to load under a mutant: it may do much before its first test. */
const LOAD_FACTOR = 4;

/** Thrown if the judge has been silent for too long, or has gone. */
export class JudgeGone extends Error {}

export class JudgeClient {
  readonly #child: ChildProcess;
  readonly #silenceMs: number;

  /**
   * `texts`: the file with the instrumented modules. `temporary`: the folder for temporary files, which a killed judge
   * leaves behind. `silenceMs`: how much longer than its limit a test may take, in ms, until the process counts as
   * hung.
   */
  constructor(texts: string, temporary: string, silenceMs: number) {
    this.#silenceMs = silenceMs;
    this.#child = fork(JUDGE, {
      execArgv: ["--import", HOOK],
      env: { ...process.env, SVC_MUTANTS: texts, TMPDIR: temporary },
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
  }

  /** Loads the preloaded modules, the mutated modules, and then the test files, all by absolute path. */
  load(first: readonly string[], modules: readonly string[], tests: readonly string[]): Promise<Loaded> {
    return this.#ask({ type: "load", first, modules, tests }, UNCHANGED_MS);
  }

  /** Runs one test without a mutant, and counts for `maxMs`. */
  measure(test: number, maxMs: number): Promise<Measured> {
    return this.#ask({ type: "measure", test, maxMs }, UNCHANGED_MS);
  }

  /** Runs tests under a mutant, in this order. */
  judge(mutant: string, runs: readonly Run[]): Promise<Judged> {
    return this.#ask({ type: "judge", mutant, runs }, this.#silenceMs + longest(runs.map(({ limitMs }) => limitMs)));
  }

  /**
   * Loads test files under a mutant, and runs the tests in them that have a limit, in ms, by file and name. The process
   * has nothing loaded before, and is of no use afterwards.
   */
  judgeAll(
    mutant: string,
    first: readonly string[],
    tests: readonly string[],
    limits: ReadonlyMap<string, number>,
  ): Promise<Judged> {
    return this.#ask(
      { type: "judgeAll", mutant, first, tests, limits },
      LOAD_FACTOR * this.#silenceMs + longest(limits.values()),
    );
  }

  /** Kills the process. */
  end(): void {
    this.#child.kill("SIGKILL");
  }

  #ask<Answer>(request: Request, silenceMs: number): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const gone = () => reject(new JudgeGone(`${request.type}: no answer`));
    let timer = setTimeout(gone, silenceMs);
    const hear = (message: { answer?: Answer }) => {
      clearTimeout(timer);
      if (message.answer !== undefined) resolve(message.answer);
      else timer = setTimeout(gone, silenceMs);
    };
    this.#child.on("message", hear).on("exit", gone);
    this.#child.send(request);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#child.off("message", hear).off("exit", gone);
    });
  }
}

function longest(limits: Iterable<number>): number {
  return Math.max(0, ...limits);
}
