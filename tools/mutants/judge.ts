/**
 * The judge's process: it loads the test files once, and then runs tests under one mutant after another. Answers the requests of
 * judge-client.ts in turn. Start it with hook.ts.
 */
import { pathToFileURL } from "node:url";
import { collected, loadingFile } from "./collector.ts";
import { type Hits, switches } from "./switches.ts";

/** A test, and how often it comes by the mutant's place when nothing is wrong. */
export interface Run {
  readonly test: number;
  readonly hits: number;
}

/** What the judge is asked to do. */
export type Request =
  /** Load what comes first, the mutated modules, then the test files. */
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
      /** Names of tests that are not run. */
      readonly skipped: readonly string[];
    };

/** What the tests are, and which mutants were come by while modules and while each test file was loaded. */
export interface Loaded {
  readonly tests: readonly { readonly file: string; readonly name: string }[];
  readonly ofModules: readonly string[];
  readonly ofFiles: ReadonlyMap<string, readonly string[]>;
}

/** How long a test takes, the mutants whose places it comes by, and with what it failed; null where it did not. */
export interface Measured {
  readonly ms: number;
  readonly hits: Hits;
  readonly failure: string | null;
}

/** What killed the mutant; null where nothing did. `tainted` tells that the process no longer works without the mutant either. */
export interface Judged {
  readonly killer: string | null;
  readonly tainted: boolean;
}

/** A loop that the switches end may be come by this often for each time without the mutant, and as often at least. */
const HITS_FACTOR = 100;
const ALIVE_EVERY_MS = 1000;
let lastAlive = 0;

process.on("message", async (request: Request) => {
  process.send?.({ answer: await answer(request) });
});
process.on("unhandledRejection", () => undefined);
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
    failure = await failureOf(test);
  });
  switches.countedUntil = Number.POSITIVE_INFINITY;
  return { ms: performance.now() - started, hits, failure };
}

async function judge(given: string, runs: readonly Run[]): Promise<Judged> {
  const mutant = internalized(given);
  for (const { test, hits } of runs) {
    switches.active = mutant;
    switches.hitsLeft = HITS_FACTOR * (hits + HITS_FACTOR);
    const failure = await failureOf(test);
    switches.active = null;
    if (failure !== null) return { killer: nameOf(test), tainted: (await failureOf(test)) !== null };
  }
  return { killer: null, tainted: false };
}

async function judgeAll(request: Extract<Request, { type: "judgeAll" }>): Promise<Judged> {
  switches.active = internalized(request.mutant);
  const skipped = new Set(request.skipped);
  for (const file of [...request.first, ...request.tests]) {
    const before = collected.length;
    loadingFile(file);
    try {
      await importFile(file);
    } catch {
      return { killer: file, tainted: true };
    }
    for (let test = before; test < collected.length; test++) {
      if (skipped.has(nameOf(test))) continue;
      if ((await failureOf(test)) !== null) return { killer: nameOf(test), tainted: true };
    }
  }
  return { killer: null, tainted: true };
}

/** The same text, as the engine holds texts of programs: comparing it with them is comparing addresses. */
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

async function failureOf(test: number): Promise<string | null> {
  alive();
  try {
    await collected[test]?.run();
    return null;
  } catch (error) {
    return String(error);
  }
}

function nameOf(test: number): string {
  const { file = "", name = "" } = collected[test] ?? {};
  return `${file}: ${name}`;
}

function importFile(file: string): Promise<unknown> {
  alive();
  return import(pathToFileURL(file).href);
}

/** Tells the other side that this one is no endless loop. */
function alive(): void {
  const now = performance.now();
  if (now - lastAlive < ALIVE_EVERY_MS) return;
  lastAlive = now;
  process.send?.({ alive: true });
}
