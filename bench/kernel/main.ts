/**
 * `pnpm bench kernel`: the compiled kernel against yardsticks of its runtime, against the reference kernel and its own
 * native build.
 */
import { readFileSync } from "node:fs";
import { startWasmKernel } from "../../packages/core/src/kernel/wasm/index.ts";
import { type Groups, measureGroups } from "../groups.ts";
import type { Effort, Row } from "../measure.ts";
import type { Bench } from "./bench.ts";
import { bulk } from "./bulk.ts";
import { digests } from "./digests.ts";
import { documents } from "./documents.ts";
import { Native } from "./native.ts";
import { signatures } from "./signatures.ts";
import { size } from "./size.ts";
import { small } from "./small.ts";
import { trees } from "./trees.ts";

/** The groups of figures, by names under which each can be measured alone. */
export const GROUPS: Groups<Bench> = {
  size,
  signatures,
  digests,
  trees,
  small,
  documents,
  bulk,
};

const EFFORT: Effort = { rounds: 7, warmUpMs: 200 };
const QUICK_EFFORT: Effort = { rounds: 3, warmUpMs: 50 };

/** The figures, and the compiler of the native build or the reason why it is missing. */
export interface KernelFigures {
  readonly rounds: number;
  readonly native: string;
  readonly rows: readonly Row[];
}

/** Measures some groups; all if none is named. Throws WrongAnswer. */
export async function benchKernel(options: {
  readonly quick: boolean;
  readonly native: boolean;
  readonly groups: readonly string[];
}): Promise<KernelFigures> {
  const { quick } = options;
  const wasmBytes = readFileSync(new URL("../../packages/wasm/kernel.wasm", import.meta.url));
  const kernel = startWasmKernel(wasmBytes);
  const built = options.native ? Native.build() : "left out";
  const native = typeof built === "string" ? null : built;
  const effort = quick ? QUICK_EFFORT : EFFORT;
  try {
    const rows = await measureGroups(GROUPS, options.groups, { quick, effort, kernel, wasmBytes, native });
    return { rounds: effort.rounds, native: typeof built === "string" ? built : built.compiler, rows };
  } finally {
    native?.close();
  }
}
