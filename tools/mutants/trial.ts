/**
 * Tries every mutant. A running process judges the mutants that tests reach, with these tests; a process that has the
 * mutant from its start judges the mutants that are reached while modules or test files are loaded.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Instrumented, Mutant } from "./instrument.ts";
import type { Judged, Loaded, Measured, Run } from "./judge.ts";
import { JudgeClient, JudgeGone } from "./judge-client.ts";

/** The fate of a mutant. `refused`: it does not compile. `uncovered`: it lives, and no test reaches it. */
export type Fate = "refused" | "killed" | "endless" | "survived" | "uncovered";

/** A mutant and its fate. */
export interface Tried {
  readonly mutant: Mutant;
  readonly fate: Fate;
  /** The test that failed; null if none did. */
  readonly killer: string | null;
}

/** The inputs of a trial. Files are absolute paths. */
export interface TrialOptions {
  /** The mutated modules. */
  readonly sources: readonly string[];
  readonly tests: readonly string[];
  /** Modules that are loaded before all others, for their effect on the process. */
  readonly first?: readonly string[];
  /**
   * How long all tests of one mutant may take in ms, measured without it, for a quick run. It then gets a separate
   * process only if no test reaches it. It survives the tests that are left out.
   */
  readonly budgetMs?: number;
  /** Longer tests, in ms, are left out. */
  readonly maxTestMs: number;
  /**
   * How much longer than its limit a test may take, in ms, until the process counts as hung; a file that is loaded,
   * four times as long.
   */
  readonly silenceMs: number;
  /** The result of an earlier run: the tests that killed then are tried first. */
  readonly before?: readonly Pick<Tried, "mutant" | "killer">[];
  /** Says whether to try a mutant; by default all are tried. */
  readonly wanted?: (mutant: Mutant) => boolean;
  /** Called after each test that was measured. A test that fails without any mutant is left out. */
  readonly onMeasured?: (name: string, measured: Measured, done: number, all: number) => void;
  /** Called after each mutant. */
  readonly onTried?: (tried: Tried, done: number, all: number) => void;
}

/** Tests below about this time, in ms, count as equally fast. */
const SHORT_MS = 50;
/**
 * How long a test may take under a mutant, in ms: so many times as long as without it, and so much more. Others may
 * share the machine.
 */
const LIMIT_FACTOR = 4;
const LIMIT_MS = 2500;
/** The weight of a test file whose name names a source file: more than most that it may reach. */
const NAMED = 10;
/** The instrumented modules, in the trial's folder. */
const TEXTS = "instrumented.json";

interface Test {
  readonly file: string;
  readonly name: string;
  readonly measured: Measured;
  /**
   * How much it is about each source file: the mutants that it reaches, each divided among all tests that do. Every
   * test that starts a server reaches much of every file, and looks at little of it.
   */
  readonly aboutFiles: Map<string, number>;
  /** How many mutants of each source file it has killed so far: tests that kill are tried first. */
  readonly kills: Map<string, number>;
}

/** Tries the mutants of instrumented modules against the tests. */
export async function tryMutants(instrumented: Instrumented, options: TrialOptions): Promise<Tried[]> {
  const folder = mkdtempSync(join(tmpdir(), "mutants-"));
  try {
    writeFileSync(join(folder, TEXTS), JSON.stringify(instrumented));
    return await new Trial(folder, instrumented, options).run();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

class Trial {
  readonly #folder: string;
  readonly #mutants: readonly Mutant[];
  readonly #options: TrialOptions;
  #judge: JudgeClient;
  #loaded: Loaded = { tests: [], ofModules: [], ofFiles: new Map() };
  #tests: Test[] = [];

  constructor(folder: string, { mutants }: Instrumented, options: TrialOptions) {
    this.#folder = folder;
    this.#mutants = mutants;
    this.#options = options;
    this.#judge = this.#newJudge();
  }

  async run(): Promise<Tried[]> {
    const { wanted = () => true, onTried } = this.#options;
    try {
      await this.#measure();
      for (const tried of this.#options.before ?? []) this.#count(tried);
      const mutants = this.#mutants.filter(wanted);
      const all: Tried[] = [];
      for (const mutant of mutants) {
        const tried = await this.#try(mutant);
        all.push(tried);
        onTried?.(tried, all.length, mutants.length);
      }
      return all;
    } finally {
      this.#judge.end();
    }
  }

  #newJudge(): JudgeClient {
    return new JudgeClient(join(this.#folder, TEXTS), this.#folder, this.#options.silenceMs);
  }

  async #measure(): Promise<void> {
    this.#loaded = await this.#load();
    const sourceOf = new Map(this.#mutants.map(({ id, file }) => [id, file]));
    const { maxTestMs } = this.#options;
    for (const [index, { file, name }] of this.#loaded.tests.entries()) {
      let measured = await this.#judge.measure(index, maxTestMs);
      // A second attempt: other work on the machine can make a test miss its condition.
      if (measured.failure !== null) measured = await this.#judge.measure(index, maxTestMs);
      this.#options.onMeasured?.(`${file}: ${name}`, measured, index + 1, this.#loaded.tests.length);
      this.#tests.push({ file, name, measured, aboutFiles: new Map(), kills: new Map() });
    }
    const tests = Map.groupBy(
      this.#tests.flatMap(({ measured: { hits } }) => [...hits.keys()]),
      (id) => id,
    );
    for (const { measured, aboutFiles } of this.#tests)
      for (const id of measured.hits.keys()) {
        const source = sourceOf.get(id) ?? "";
        aboutFiles.set(source, (aboutFiles.get(source) ?? 0) + 1 / (tests.get(id)?.length ?? 1));
      }
  }

  async #try(mutant: Mutant): Promise<Tried> {
    const loaders = this.#loaders(mutant);
    const runs = this.#loaded.ofModules.includes(mutant.id) ? [] : this.#runs(mutant, loaders);
    if (runs.length + loaders.length === 0) return { mutant, fate: "uncovered", killer: null };
    const isQuick = this.#options.budgetMs !== undefined;
    const files = isQuick && runs.length > 0 ? [] : loaders;
    try {
      const judged = (await this.#underTests(mutant.id, runs)) ?? (await this.#underFiles(mutant, files));
      if (judged === null) return { mutant, fate: "survived", killer: null };
      const { killer, endless } = judged;
      this.#count({ mutant, killer });
      return { mutant, fate: endless ? "endless" : "killed", killer };
    } catch (error) {
      if (!(error instanceof JudgeGone)) throw error;
      await this.#restart();
      return { mutant, fate: "endless", killer: null };
    }
  }

  /**
   * Returns the tests that reach a mutant, within the budget: alternately those that are about its file, and the
   * likeliest to kill; none of files that reach it while loading.
   */
  #runs({ id, file }: Mutant, loaders: readonly string[]): Run[] {
    const runs = this.#tests
      .map((test, index) => ({ test, index, hits: test.measured.hits.get(id) ?? 0 }))
      .filter(({ test, hits }) => hits > 0 && this.#isTried(test))
      .filter(({ test }) => !loaders.includes(test.file));
    const rank = ({ kills, measured: { ms } }: Test) => ((kills.get(file) ?? 0) + 0.1) / (ms + 1);
    const likely = runs.toSorted((a, b) => rank(b.test) - rank(a.test));
    const worth = (test: Test) => about(test, file) / (test.measured.ms + SHORT_MS);
    const particular = runs.toSorted((a, b) => worth(b.test) - worth(a.test));
    const inTurn = new Set(likely.flatMap((run, place) => [run, particular[place] ?? run]));
    return this.#affordable([...inTurn], ({ test }) => test).map(({ test, index, hits }) => ({
      test: index,
      hits,
      limitMs: limitOf(test),
    }));
  }

  #isTried({ measured: { ms, failure } }: Test): boolean {
    return failure === null && ms <= this.#options.maxTestMs;
  }

  /** Returns the first ones within the budget, at least one. */
  #affordable<T>(all: readonly T[], testOf: (one: T) => Test): T[] {
    let left = this.#options.budgetMs ?? Number.POSITIVE_INFINITY;
    return all.filter((one) => {
      const isIn = left > 0;
      if (isIn) left -= testOf(one).measured.ms;
      return isIn;
    });
  }

  /**
   * Returns the test files that reach a mutant while they or the modules are loaded; those about its file come first.
   */
  #loaders({ id, file }: Mutant): string[] {
    const { ofModules, ofFiles } = this.#loaded;
    const best = new Map<string, number>();
    for (const test of this.#tests) best.set(test.file, Math.max(best.get(test.file) ?? 0, about(test, file)));
    return [...ofFiles]
      .filter(([, ids]) => ofModules.includes(id) || ids.includes(id))
      .map(([loader]) => loader)
      .sort((a, b) => (best.get(b) ?? 0) - (best.get(a) ?? 0));
  }

  /** Counts a kill, for the orders in which tests are tried. */
  #count({ mutant: { file: source }, killer }: Pick<Tried, "mutant" | "killer">): void {
    const test = this.#tests.find((one) => nameOf(one) === killer);
    test?.kills.set(source, (test.kills.get(source) ?? 0) + 1);
  }

  async #underTests(id: string, runs: readonly Run[]): Promise<Judged | null> {
    if (runs.length === 0) return null;
    let judged = await this.#judge.judge(id, runs);
    if (process.env.DEBUG_MS && (judged.doubtful || judged.spoiled || judged.endless))
      console.log(JSON.stringify(judged));
    if (judged.doubtful) {
      await this.#restart();
      const { killer } = judged;
      const isKiller = ({ test }: Run) => nameOf(this.#tests[test]) === killer;
      judged = await this.#judge.judge(id, [...runs.filter(isKiller), ...runs.filter((run) => !isKiller(run))]);
    }
    if (judged.doubtful || judged.spoiled) await this.#restart();
    return judged.killer === null ? null : judged;
  }

  /**
   * Tries it in a separate process, within the budget: the tests of files that name the mutant's file, and that are
   * about it, come first.
   */
  async #underFiles({ id, file }: Mutant, files: readonly string[]): Promise<Judged | null> {
    const { first = [] } = this.#options;
    const isNaming = new Map(files.map((one) => [one, readFileSync(one, "utf8").includes(`/${basename(file)}"`)]));
    const worth = (test: Test) =>
      (about(test, file) + (isNaming.get(test.file) ? NAMED : 0)) / (test.measured.ms + SHORT_MS);
    const short = this.#tests.filter((test) => files.includes(test.file) && this.#isTried(test));
    const chosen = this.#affordable(
      short.toSorted((a, b) => worth(b) - worth(a)),
      (test) => test,
    );
    if (chosen.length === 0) return null;
    const judge = this.#newJudge();
    try {
      const limits = new Map(chosen.map((test) => [nameOf(test), limitOf(test)]));
      const judged = await judge.judgeAll(id, first, [...new Set(chosen.map((test) => test.file))], limits);
      return judged.killer === null ? null : judged;
    } finally {
      judge.end();
    }
  }

  async #restart(): Promise<void> {
    this.#judge.end();
    this.#judge = this.#newJudge();
    await this.#load();
  }

  #load(): Promise<Loaded> {
    const { first = [], sources, tests } = this.#options;
    return this.#judge.load(first, sources, tests);
  }
}

/** Returns the judge's name for a test. */
function nameOf(test: Pick<Test, "file" | "name"> | undefined): string {
  return `${test?.file}: ${test?.name}`;
}

function limitOf({ measured: { ms } }: Test): number {
  return LIMIT_FACTOR * ms + LIMIT_MS;
}

/** Returns how much a test is about a source file. */
function about({ aboutFiles }: Test, source: string): number {
  return aboutFiles.get(source) ?? 0;
}
