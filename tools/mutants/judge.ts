/**
 * The judge's process: it loads the test files once, and then runs tests under one mutant after another. It answers the
 * requests of judge-client.ts in turn. Start it with hook.ts.
 */
import { pathToFileURL } from "node:url";
import { type Outcome, runBounded } from "./bounded.ts";
import { collected, loadingFile } from "./collector.ts";
import { type Hits, switches } from "./switches.ts";

/** A test, how often it reaches the mutant's place without the mutant, and its time limit in ms. */
export interface Run {
  readonly test: number;
  readonly hits: number;
  readonly limitMs: number;
}

/** A request to the judge. */
export type Request =
  /** Load the preloaded modules, the mutated modules, then the test files. */
  | {
      readonly type: "load";
      readonly first: readonly string[];
      readonly modules: readonly string[];
      readonly tests: readonly string[];
    }
  /** Run one test without a mutant, and count for so many ms. */
  | { readonly type: "measure"; readonly test: number; readonly maxMs: number }
  /** Run these tests under a mutant, up to the first that fails. */
  | { readonly type: "judge"; readonly mutant: string; readonly runs: readonly Run[] }
  /** Load these test files under a mutant and run their tests, up to the first that fails. For a fresh process. */
  | {
      readonly type: "judgeAll";
      readonly mutant: string;
      readonly first: readonly string[];
      readonly tests: readonly string[];
      /** How long each test may take in ms, by its file and name; other tests do not run. */
      readonly limits: ReadonlyMap<string, number>;
    };

/** The tests, and the mutants that were reached while modules and while each test file was loaded. */
export interface Loaded {
  readonly tests: readonly { readonly file: string; readonly name: string }[];
  readonly ofModules: readonly string[];
  readonly ofFiles: ReadonlyMap<string, readonly string[]>;
}

/** How long a test takes, the mutants whose places it reaches, and its failure; null if it passed. */
export interface Measured {
  readonly ms: number;
  readonly hits: Hits;
  readonly failure: string | null;
}

/** The fate of the mutant, and the state of the process. */
export interface Judged {
  /** The test that killed the mutant; null if none did. */
  readonly killer: string | null;
  /** Whether the test killed it by exceeding its time limit. */
  readonly endless: boolean;
  /** Whether the killer fails, or takes long, without the mutant as well. */
  readonly doubtful: boolean;
  /** Whether a part of a test still runs when it should be over, so that the process is of no more use. */
  readonly spoiled: boolean;
}

/**
 * The switches end a loop that is reached more often than this factor times its count without the mutant, and at least
 * as often.
 */
const HITS_FACTOR = 100;
/** How long a test may take while it is measured: without any mutant, it ends by itself. */
const UNCHANGED_MS = 300_000;
const ALIVE_EVERY_MS = 1000;
let lastAlive = 0;

process.on("message", async (request: Request) => {
  process.send?.({ answer: await answer(request) });
});
for (const name of ["log", "error", "warn"] as const) console[name] = () => undefined;

function answer(request: Request): Promise<Loaded | Measured | Judged> {
  switch (request.type) {
    case "load":
      return load(request);
    case "measure":
      return measure(request);
    case "judge":
      return judge(request.mutant, request.runs);
    case "judgeAll":
      return judgeAll(request);
  }
}

async function load({ first, modules, tests }: Extract<Request, { type: "load" }>): Promise<Loaded> {
  const ofModules = await counting(async () => {
    for (const module of [...first, ...modules]) await importFile(module);
  });
  const ofFiles = new Map<string, string[]>();
  for (const test of tests) {
    loadingFile(test);
    ofFiles.set(test, [...(await counting(() => importFile(test))).keys()]);
  }
  return { tests: collected.map(({ file, name }) => ({ file, name })), ofModules: [...ofModules.keys()], ofFiles };
}

async function measure({ test, maxMs }: Extract<Request, { type: "measure" }>): Promise<Measured> {
  let failure: string | null = null;
  const started = performance.now();
  switches.countedUntil = started + maxMs;
  const hits = await counting(async () => {
    ({ failure } = await run(test, UNCHANGED_MS));
  });
  switches.countedUntil = Number.POSITIVE_INFINITY;
  return { ms: performance.now() - started, hits, failure };
}

async function judge(given: string, runs: readonly Run[]): Promise<Judged> {
  const mutant = internalized(given);
  for (const { test, hits, limitMs } of runs) {
    switches.active = mutant;
    switches.hitsLeft = HITS_FACTOR * (hits + HITS_FACTOR);
    const { failure, endless, spoiled } = await run(test, limitMs);
    switches.active = null;
    const killer = nameOf(test);
    if (spoiled) return { killer, endless, doubtful: false, spoiled };
    if (failure === null) continue;
    const started = performance.now();
    const without = await run(test, limitMs);
    const isSlow = endless && performance.now() - started > limitMs / 2;
    return { killer, endless, doubtful: without.failure !== null || isSlow, spoiled: without.spoiled };
  }
  return { killer: null, endless: false, doubtful: false, spoiled: false };
}

async function judgeAll({ mutant, first, tests, limits }: Extract<Request, { type: "judgeAll" }>): Promise<Judged> {
  switches.active = internalized(mutant);
  const spent = { doubtful: false, spoiled: true };
  for (const file of [...first, ...tests]) {
    const before = collected.length;
    loadingFile(file);
    try {
      await importFile(file);
    } catch {
      return { killer: file, endless: false, ...spent };
    }
    for (let test = before; test < collected.length; test++) {
      const limitMs = limits.get(nameOf(test));
      if (limitMs === undefined) continue;
      const { failure, endless } = await run(test, limitMs);
      if (failure !== null) return { killer: nameOf(test), endless, ...spent };
    }
  }
  return { killer: null, endless: false, ...spent };
}

/** Returns the same text as the engine's own copy in its programs: comparing the two compares addresses. */
function internalized(text: string): string {
  return Object.keys({ [text]: 0 })[0] ?? "";
}

async function counting(act: () => unknown): Promise<Hits> {
  const hits: Hits = new Map();
  switches.hits = hits;
  await act();
  switches.hits = null;
  return hits;
}

function run(test: number, limitMs: number): Promise<Outcome> {
  alive();
  return runBounded(collected[test]?.run ?? (() => undefined), limitMs, () => {
    switches.active = null;
  });
}

function nameOf(test: number): string {
  const { file = "", name = "" } = collected[test] ?? {};
  return `${file}: ${name}`;
}

function importFile(file: string): Promise<unknown> {
  alive();
  return import(pathToFileURL(file).href);
}

/** Tells the other side that this process is no endless loop. */
function alive(): void {
  const now = performance.now();
  if (now - lastAlive < ALIVE_EVERY_MS) return;
  lastAlive = now;
  process.send?.({ alive: true });
}
