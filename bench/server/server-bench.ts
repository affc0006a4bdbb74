/** What the groups of `bench server` share. */
import type { Target } from "../measure.ts";
import type { OurServer } from "./programs.ts";

/** What all groups share. */
export interface ServerBench {
  readonly rounds: number;
  /** How long a load lasts. */
  readonly seconds: number;
  readonly quick: boolean;
  /** For data and answers; it is deleted afterwards. */
  readonly folder: string;
  readonly ours: OurServer;
  readonly bare: { readonly port: number };
}

/** A target counts only where everything is measured whole. */
export function wanted({ quick }: ServerBench, target: Target): Target | null {
  return quick ? null : target;
}
