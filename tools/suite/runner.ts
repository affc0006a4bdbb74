/**
 * Runs test files with the runner of Node, in the order given, with its own report for people; its closing lines are
 * kept for the end of all.
 */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import process from "node:process";
import { Readable } from "node:stream";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Unit } from "./plan.ts";
import { Spinning } from "./spinning.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Loaded before each file. */
const HOOKS = ["pinned-node.mjs", "suite/limit.mjs", "suite/modules.mjs", "suite/processor.mjs"];
/** The names of the runner's closing lines, and of the counts in its summaries. */
const CLOSING = {
  tests: "tests",
  suites: "suites",
  pass: "passed",
  fail: "failed",
  cancelled: "cancelled",
  skipped: "skipped",
  todo: "todo",
} as const;

/** Numbers of tests, by how they ended. */
export type Counts = Readonly<Record<(typeof CLOSING)[keyof typeof CLOSING], number>>;

/** How a unit ended. */
export interface Ended {
  readonly unit: Unit;
  readonly passed: boolean;
  /** The time on the clock. */
  readonly seconds: number;
  /** The name and the message of its first failure; null without one. */
  readonly failure: string | null;
  /** The tests that were left out, each with its reason. */
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[];
}

/** The result of one unit, when all have ended. */
export interface Outcome extends Ended {
  /** The time of processors, as far as the file has waited for its processes; 0 where nothing was written down. */
  readonly processorSeconds: number;
  readonly counts: Counts;
}

/** How to run. */
export interface RunOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** The number of files at a time. */
  readonly concurrency: number;
  /** A file that takes longer is ended, and has failed. */
  readonly timeoutMs: number;
  /** A folder for what the files write down. */
  readonly folder: string;
  /** Called when a file has ended, before the report about it. */
  readonly onEnd?: ((ended: Ended) => void) | undefined;
}

type Events = AsyncIterable<{ readonly type: string; readonly data: EventData }>;
interface EventData {
  readonly name?: string;
  readonly file?: string;
  readonly entryFile?: string;
  readonly nesting?: number;
  readonly message?: string;
  readonly skip?: string | boolean;
  readonly counts?: Counts;
  readonly details?: { readonly duration_ms: number; readonly passed?: boolean; readonly error?: Error };
}

/** Runs units that share an environment, each file once. Resolves to their results, in the order given. */
export async function runUnits(units: readonly Unit[], options: RunOptions): Promise<Outcome[]> {
  if (units.length === 0) return [];
  const processor = join(options.folder, "processor");
  writeFileSync(processor, "");
  const processes = join(mkdtempSync(join(options.folder, "processes-")), "list");
  const spinning = new Spinning(processes, options.timeoutMs);
  const hooks = HOOKS.map((hook) => `--import=${pathToFileURL(join(ROOT, "tools", hook))}`);
  const events = run({
    files: units.map(({ file }) => join(ROOT, file)),
    cwd: ROOT,
    concurrency: options.concurrency,
    execArgv: hooks,
    env: {
      ...options.environment,
      SVC_TEST_PROCESSOR: processor,
      SVC_TEST_PROCESSES: processes,
      SVC_TEST_LIMIT_MS: `${options.timeoutMs}`,
    },
  } as Parameters<typeof run>[0]) as unknown as Events;
  const found = new Map(units.map((unit) => [unit.file, new Found(unit)]));
  const report = Readable.from(observed(events, found, { ...options, spinning })).pipe(new spec());
  for await (const text of report) process.stdout.write(text);
  const used = processorSeconds(processor);
  return [...found.values()].map((one) => one.outcome(used));
}

/** The facts about a file so far. */
class Found {
  readonly unit: Unit;
  passed = false;
  seconds = 0;
  counts: Counts | null = null;
  failure: string | null = null;
  readonly leftOut: { name: string; reason: string }[] = [];

  constructor(unit: Unit) {
    this.unit = unit;
  }

  get ended(): Ended {
    const { unit, passed, seconds, failure, leftOut } = this;
    return { unit, passed, seconds, failure, leftOut };
  }

  outcome(used: ReadonlyMap<string, number>): Outcome {
    const { unit, passed } = this;
    // A file that ends before its first test is a test itself.
    const alone = { tests: 1, suites: 0, passed: 0, failed: 0, cancelled: 0, skipped: 0, todo: 0 };
    const counts = this.counts ?? { ...alone, [passed ? "passed" : "failed"]: 1 };
    return { ...this.ended, processorSeconds: used.get(unit.file) ?? 0, counts };
  }
}

/** Yields the events but for the closing ones, and notes what they say of each file. */
async function* observed(
  events: Events,
  found: ReadonlyMap<string, Found>,
  { onEnd, spinning }: RunOptions & { readonly spinning: Spinning },
) {
  for await (const event of events) {
    const { type, data } = event;
    if (isOfFile(data) && type === "test:dequeue") spinning.begin(data.file ?? "");
    if (isOfFile(data) && type === "test:complete") spinning.end(data.file ?? "");
    if (type === "test:summary" && data.file === undefined) continue;
    if (type === "test:diagnostic" && data.nesting === 0 && data.file === undefined && isClosing(data.message ?? ""))
      continue;
    const one = found.get(relative(ROOT, data.entryFile ?? data.file ?? ""));
    if (one !== undefined) note(one, type, data, onEnd);
    yield event;
  }
}

function isOfFile({ entryFile, name, file }: EventData): boolean {
  return entryFile === undefined && name !== undefined && name === file;
}

function note(one: Found, type: string, data: EventData, onEnd: RunOptions["onEnd"]): void {
  const isFile = isOfFile(data);
  if (type === "test:summary") one.counts = data.counts ?? null;
  // These come at once; those of the report wait for the files before this one.
  if (type !== "test:complete") return;
  const skip = data.skip ?? false;
  if (skip !== false) one.leftOut.push({ name: data.name ?? "", reason: `${skip}` });
  const passed = data.details?.passed ?? false;
  // A test around others fails after them, and says only that they did.
  if (!passed) one.failure ??= `${isFile ? one.unit.file : data.name}: ${causeOf(data.details?.error)}`;
  if (!isFile) return;
  one.passed = passed;
  one.seconds = (data.details?.duration_ms ?? 0) / 1000;
  onEnd?.(one.ended);
}

function causeOf(error: Error | undefined): string {
  const { cause } = error ?? {};
  const text = cause instanceof Error ? cause.message : String(cause ?? error?.message ?? "it failed");
  return text.split("\n", 3).join(" ").slice(0, 300);
}

function isClosing(message: string): boolean {
  return /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/.test(message);
}

/** Returns the sum of counts. */
export function sumOf(all: readonly Counts[]): Counts {
  const names = Object.values(CLOSING);
  const sum = (name: (typeof names)[number]) => all.reduce((total, counts) => total + counts[name], 0);
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as Counts;
}

/** Writes the runner's closing lines about all that ran. */
export async function writeClosing(counts: Counts, durationMs: number): Promise<void> {
  const messages = [
    ...Object.entries(CLOSING).map(([name, count]) => `${name} ${counts[count]}`),
    `duration_ms ${durationMs.toFixed(3)}`,
  ];
  const events = messages.map((message) => ({ type: "test:diagnostic", data: { nesting: 0, message, level: "info" } }));
  for await (const text of Readable.from(events).pipe(new spec())) process.stdout.write(text);
}

/** Returns the processor time that each file has written down at its end. */
function processorSeconds(path: string): ReadonlyMap<string, number> {
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  const read = lines.map((line) => JSON.parse(line) as { file: string; seconds: number });
  return new Map(read.map(({ file, seconds }) => [relative(ROOT, file), seconds]));
}
