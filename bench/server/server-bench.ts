/** The common parts of `bench server`'s groups. */
import { median, type Target } from "../measure.ts";
import type { Served } from "./load.ts";
import type { OurServer, Yardstick } from "./programs.ts";

/** The common inputs of all groups. */
export interface ServerBench {
  readonly rounds: number;
  /** How long a load lasts. */
  readonly seconds: number;
  readonly quick: boolean;
  /** The folder for data and answers; it is deleted afterwards. */
  readonly folder: string;
  readonly ours: OurServer;
  readonly bare: Yardstick;
}

/** Returns a target only if everything is measured in full. */
export function wanted({ quick }: ServerBench, target: Target): Target | null {
  return quick ? null : target;
}

/** The number of clients with single events. */
export const CLIENTS = 64;

/** Returns the path to which events of a stream are sent. */
export function pathOf(streamId: string): string {
  return `/v2/streams/${streamId}/events`;
}

/** Returns the median of the answers a second. */
export function rate(served: readonly Served[]): number {
  return median(served.map(({ requests, seconds }) => requests / seconds));
}
