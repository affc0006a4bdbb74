/** The common parts of the groups of `bench store`. */
import { join } from "node:path";
import type { Postgres } from "../../packages/testkit/src/postgres.ts";
import type { Target } from "../measure.ts";
import type { Load, Served } from "../server/load.ts";
import { loaded, makeOurs, type OurServer, startOurs } from "../server/programs.ts";

/** The common inputs of all groups. */
export interface StoreBench {
  readonly rounds: number;
  readonly seconds: number;
  readonly quick: boolean;
  readonly folder: string;
  readonly postgres: Postgres;
  /** Calls back at the end. */
  readonly after: (work: () => unknown) => void;
}

/** Returns a target only if everything is measured in full. */
export function wanted({ quick }: Pick<StoreBench, "quick">, target: Target): Target | null {
  return quick ? null : target;
}

/** Starts a server on a new database, until the end of the run. */
export async function onPostgres({ postgres, folder, after }: StoreBench, name: string): Promise<OurServer> {
  const server = await startOurs(await makeOurs(join(folder, name), await postgres.newDatabase()));
  after(() => server.close());
  return server;
}

type Shape = Pick<Load, "clients" | "seconds" | "batch">;

/** Loads a server, and resolves to the events a second. */
export async function eventsASecond(
  { port, apiKey }: OurServer,
  paths: readonly string[],
  shape: Shape,
): Promise<number> {
  const { requests, seconds }: Served = await loaded({ ...shape, port, apiKey, paths, file: null });
  return (requests * Math.max(1, shape.batch)) / seconds;
}
