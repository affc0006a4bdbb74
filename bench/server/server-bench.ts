/** The common parts of `bench server`'s groups. */
import type { Target } from "../measure.ts";
import type { OurServer } from "./programs.ts";

/** The common inputs of all groups. */
export interface ServerBench {
  readonly rounds: number;
  /** How long a load lasts. */
  readonly seconds: number;
  readonly quick: boolean;
  /** The folder for data and answers; it is deleted afterwards. */
  readonly folder: string;
  readonly ours: OurServer;
  readonly bare: { readonly port: number };
}

/** Returns a target only if everything is measured in full. */
export function wanted({ quick }: ServerBench, target: Target): Target | null {
  return quick ? null : target;
}
