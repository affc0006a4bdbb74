/**
 * A family: one part of a program, whole, from its routes to its store, in one folder. A program is a list of families;
 * adding one touches its own folder and that list. Families tell each other things over the channel (channel.ts), and
 * share capabilities by getters of their folders (per-context.ts).
 */
import type { Contract } from "@svc/api";
import type { Fault } from "./checks/fault.ts";
import type { Finding } from "./checks/finding.ts";
import type { Route } from "./http/route.ts";
import type { LeasedLoop } from "./jobs/leased-loop.ts";
import type { MetricsRegistry } from "./metrics/registry.ts";
import type { SettingTable } from "./settings.ts";
import type { Migration } from "./store/migrate.ts";

/**
 * What a family is before anything is open. `Context`: what its program gives it; `CheckContext` and `DiagnoseContext`:
 * what it is given where nothing is open, to look at what is stored.
 */
export interface Family<Context, CheckContext = never, DiagnoseContext = never> {
  readonly name: string;
  /** What its routes keep: `open` must bind each of these once, and no other. */
  readonly contracts?: readonly Contract[];
  /** Its part of the database's schema. Versions count on over all families of a program. */
  readonly migrations?: readonly Migration[];
  readonly settings?: SettingTable;
  /** Adds what it counts of itself; called once, before `open`, in programs that have metrics. */
  readonly metrics?: (registry: MetricsRegistry, context: Context) => void;
  /** Builds its capabilities. Starts nothing: the program starts the jobs when it listens. */
  readonly open?: (context: Context) => OpenFamily;
  /** Yields what is wrong with its rows: its part of `fsck`. */
  readonly check?: (context: CheckContext) => AsyncIterable<Fault>;
  /** Says how it stands with it, for an operator: its part of `doctor`. */
  readonly diagnose?: (context: DiagnoseContext) => Promise<readonly Finding[]>;
}

/** An opened family. */
export interface OpenFamily {
  readonly routes?: readonly Route[];
  readonly jobs?: readonly LeasedLoop[];
  /** Ends what it has begun. Called when the jobs have stopped, before the database closes. */
  readonly close?: () => Promise<void>;
}

/** Opens a family. Throws where its routes do not keep exactly its contracts. */
export function openFamily<Context>(
  { name, contracts = [], open }: Pick<Family<Context>, "name" | "contracts" | "open">,
  context: Context,
): Required<OpenFamily> {
  const { routes = [], jobs = [], close = async () => undefined } = open?.(context) ?? {};
  const bound = new Set(routes.map(({ contract }) => contract));
  const isKept = bound.size === routes.length && contracts.every((contract) => bound.has(contract));
  if (!isKept || bound.size !== contracts.length)
    throw new Error(`the routes of the family ${name} are not those of its contracts, each once`);
  return { routes, jobs, close };
}
