/**
 * Looks for a test file that notices a planted fault, and then for one among those that CI runs for the change, unless
 * the first one is. A file counts if it passes without the fault.
 */
import process from "node:process";
import { BUILT } from "@svc/testkit/built";
import { nameOf, type Unit } from "../plan.ts";
import { attempt } from "./attempt.ts";
import type { Candidate } from "./candidates.ts";
import { buildProducts, type Products } from "./products.ts";
import type { Surroundings } from "./surroundings.ts";

/** Files that run at a time. */
const AT_A_TIME = 3;
/** A file may take so many times what it is known to take, but not less than this, in ms. */
const PATIENCE = 10;
const LEAST_MS = 60_000;

/** A file that notices a fault. */
export interface Killer {
  readonly candidate: Candidate;
  /** Its first failed test, or how else it failed. */
  readonly failure: string;
}

/** The needs of a hunt. */
export interface Hunting {
  readonly candidates: readonly Candidate[];
  readonly surroundings: Surroundings;
  /** The time of a fault, in ms. */
  readonly budgetMs: number;
  /** Says whether CI runs a unit for the change. */
  isHeld(unit: Unit): boolean;
  /** Puts the fault in, and takes it out. */
  plant(): void;
  restore(): void;
  /** By name: whether a file passes without a fault, as far as that is known. */
  readonly healthy: Map<string, boolean>;
}

/** The result of a hunt. */
export interface Hunted {
  /** The file that noticed the fault: one that CI runs, if one of them did. */
  readonly killer: Killer | null;
  /** The number of files that did not notice it, and of those that had no time. */
  readonly passed: number;
  readonly untried: number;
}

/** Hunts. The fault is out again when it ends. */
export async function hunt(hunting: Hunting): Promise<Hunted> {
  const { candidates, isHeld } = hunting;
  const tried = new Set<Candidate>();
  let killer = await nextKiller(candidates, tried, hunting);
  let killers = killer === null ? 0 : 1;
  if (killer !== null && !isHeld(killer.candidate.unit)) {
    // One that CI leaves out: those that it runs get a separate time.
    const held = await nextKiller(
      candidates.filter(({ unit }) => isHeld(unit)),
      tried,
      hunting,
    );
    if (held !== null) killers++;
    killer = held ?? killer;
  }
  return { killer, passed: tried.size - killers, untried: candidates.length - tried.size };
}

/** Resolves to the first candidate that fails with the fault and passes without it; null if there is no time left. */
async function nextKiller(all: readonly Candidate[], tried: Set<Candidate>, hunting: Hunting): Promise<Killer | null> {
  const deadline = Date.now() + hunting.budgetMs;
  for (;;) {
    const left = all.filter((one) => !tried.has(one));
    const killer = await firstFailing(left, tried, deadline, hunting);
    if (killer === null || (await isHealthy(killer.candidate, hunting))) return killer;
  }
}

/** Runs candidates with the fault, some at a time, until one fails. A file that was stopped counts as untried. */
async function firstFailing(
  left: readonly Candidate[],
  tried: Set<Candidate>,
  deadline: number,
  { surroundings, plant, restore, healthy }: Hunting,
): Promise<Killer | null> {
  const queue = left.filter(({ unit }) => surroundings.allows(unit) && healthy.get(nameOf(unit)) !== false);
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), Math.max(0, deadline - Date.now()));
  let killer: Killer | null = null;
  let products: Products | null = null;
  /** Resolves to the environment of a candidate: the first that needs products has them built for all. */
  const environmentOf = async ({ unit, needsProducts }: Candidate): Promise<NodeJS.ProcessEnv> => {
    const environment = await surroundings.environmentOf(unit);
    if (!needsProducts) return environment;
    products ??= buildProducts();
    const stopped = new Promise<null>((resolve) => stop.signal.addEventListener("abort", () => resolve(null)));
    const folder = await Promise.race([products.folder, stopped]);
    return folder === null ? environment : { ...environment, [BUILT]: folder };
  };
  const work = async () => {
    for (let candidate = queue.shift(); candidate !== undefined; candidate = queue.shift()) {
      if (stop.signal.aborted) return;
      const { unit, seconds } = candidate;
      const limitMs = Math.max(LEAST_MS, seconds * 1000 * PATIENCE);
      const environment = await environmentOf(candidate);
      const { how, failure } = await attempt(unit.file, { environment, limitMs, signal: stop.signal });
      if (how !== "stopped") tried.add(candidate);
      if (how !== "failed" && how !== "endless") continue;
      killer ??= { candidate, failure };
      stop.abort();
    }
  };
  plant();
  try {
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
  } finally {
    clearTimeout(timer);
    await (products as Products | null)?.close();
    restore();
    surroundings.tidy();
  }
  return killer;
}

/** Runs a file without the fault, once for all faults. */
async function isHealthy({ unit, seconds }: Candidate, { surroundings, healthy }: Hunting): Promise<boolean> {
  const known = healthy.get(nameOf(unit));
  if (known !== undefined) return known;
  const environment = await surroundings.environmentOf(unit);
  const limitMs = Math.max(LEAST_MS, seconds * 1000 * PATIENCE);
  const { how, failure } = await attempt(unit.file, { environment, limitMs, signal: new AbortController().signal });
  healthy.set(nameOf(unit), how === "passed");
  if (how !== "passed") process.stderr.write(`${nameOf(unit)} fails without a fault as well: ${failure}\n`);
  return how === "passed";
}
