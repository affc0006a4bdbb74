/**
 * A family: one part of a program in one folder, from its routes to its store. A program is a list of families; adding
 * one touches its own folder and that list. Families tell each other things over the channel (channel.ts), and share
 * capabilities by getters of their folders (per-context.ts).
 */
import type { Contract } from "@svc/api";
import type { Topic } from "./channel.ts";
import type { Fault } from "./checks/fault.ts";
import type { Finding } from "./checks/finding.ts";
import type { EventType } from "./event-type.ts";
import type { Route } from "./http/route.ts";
import type { LeasedLoop } from "./jobs/leased-loop.ts";
import type { MetricsRegistry } from "./metrics/registry.ts";
import type { Part } from "./parts.ts";
import type { AnyRead } from "./reads.ts";
import type { SettingTable } from "./settings.ts";
import type { Migration } from "./store/migrate.ts";
import type { Table } from "./store/table.ts";

/**
 * The description of a family, before anything is open. It has two sides, which can be on two threads: one answers
 * requests, and one records. `Answering` and `Recording`: the capabilities that its program passes to them;
 * `CheckContext` and `DiagnoseContext`: those for looking at stored data while nothing is open;
 * `ReadContext`: those of long reads.
 */
export interface Family<
  Answering,
  Recording = Answering,
  CheckContext = never,
  DiagnoseContext = never,
  ReadContext = never,
> {
  /** The name of its folder. */
  readonly name: string;
  /** The contracts of its routes: `open` must bind each of these once, and no other. */
  readonly contracts?: readonly Contract[];
  /** The tables that are its own, each behind those that its rows name. */
  readonly tables?: readonly Table[];
  /** Its part of the database's schema. Versions count through all families of a program. */
  readonly migrations?: readonly Migration[];
  readonly settings?: SettingTable;
  /** The types of the events that it records of itself. */
  readonly events?: readonly EventType[];
  /** Registers its metrics; called once, before `open`, in programs that have metrics. */
  readonly metrics?: (registry: MetricsRegistry, context: Answering) => void;
  /** Builds the side that answers. */
  readonly open?: (context: Answering) => OpenFamily;
  /**
   * The topics that its recording side publishes and an answering side hears: only their messages cross from one thread
   * to the other. A message is data, or an error; each topic has a different name.
   */
  readonly tells?: readonly Topic<unknown>[];
  /** The parts that record, which the answering sides of this family and of others call. */
  readonly parts?: readonly Part<Recording, object>[];
  /** The reads that take long, which the answering sides of this family and of others ask for. */
  readonly reads?: readonly AnyRead<ReadContext>[];
  /**
   * Builds the work beside the requests. Starts nothing: the program starts the jobs when it listens. An error refuses
   * the start.
   */
  readonly work?: (context: Recording) => FamilyWork | Promise<FamilyWork>;
  /** Yields the faults of its rows: its part of `fsck`. */
  readonly check?: (context: CheckContext) => AsyncIterable<Fault>;
  /** Resolves to its findings for an operator: its part of `doctor`. */
  readonly diagnose?: (context: DiagnoseContext) => Promise<readonly Finding[]>;
}

/** The answering side of an opened family. */
export interface OpenFamily {
  readonly routes?: readonly Route[];
  /** Ends everything that `open` has begun. Called when no request is left. */
  readonly close?: () => Promise<void>;
}

/** The work of an opened family. */
export interface FamilyWork {
  readonly jobs?: readonly LeasedLoop[];
  /** Ends everything that `work` has begun. Called when the jobs have stopped, before the database closes. */
  readonly close?: () => Promise<void>;
}

/**
 * Opens the answering side of a family, and returns its routes and `close`. Throws Error unless its routes bind each of
 * its contracts exactly once, and no other.
 */
export function openFamily<Answering>(
  { name, contracts = [], open }: Pick<Family<Answering>, "name" | "contracts" | "open">,
  context: Answering,
): Required<OpenFamily> {
  const { routes = [], close = async () => undefined } = open?.(context) ?? {};
  const bound = new Set(routes.map(({ contract }) => contract));
  const isKept = bound.size === routes.length && contracts.every((contract) => bound.has(contract));
  if (!isKept || bound.size !== contracts.length)
    throw new Error(`the routes of the family ${name} are not those of its contracts, each once`);
  return { routes, close };
}
