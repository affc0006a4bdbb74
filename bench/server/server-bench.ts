/** The rows of `bench server`, and what its groups share. */
import { type Row, rowOf, type Target } from "../measure.ts";
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

export function row(
  work: string,
  unit: Row["unit"],
  wasm: number,
  yardstick: number,
  yardstick_name: string,
  target: Target | null,
): Row {
  return rowOf({ work, unit, wasm, reference: null, yardstick, yardstick_name, native: null, target });
}
