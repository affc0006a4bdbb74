/** The inputs of every group of figures, and the comparison of answers. */
import { createHash } from "node:crypto";
import type { Kernel } from "../../packages/core/src/kernel/kernel.ts";
import { type Contender, type Effort, expectAnswer } from "../measure.ts";
import type { Native } from "./native.ts";

/** One run of the benchmark. */
export interface Bench {
  /** Smaller inputs. */
  readonly quick: boolean;
  readonly effort: Effort;
  /** The compiled kernel, started from `wasmBytes`. */
  readonly kernel: Kernel;
  /** The bytes of kernel.wasm. */
  readonly wasmBytes: Uint8Array;
  /** Null without one. */
  readonly native: Native | null;
}

const REFERENCE_ROUNDS = 3;
const QUICK_REFERENCE_ROUNDS = 1;

/**
 * Gives a slow contender, such as the reference kernel, fewer rounds; its caller gives it a smaller amount. Rates are
 * compared, so both are fair.
 */
export function slow({ quick }: Bench, contender: Contender): Contender {
  return { ...contender, maxRounds: quick ? QUICK_REFERENCE_ROUNDS : REFERENCE_ROUNDS };
}

/** Returns the SHA-256, in hex, of byte strings one after the other: equal fingerprints mean equal answers. */
export function fingerprint(answers: Iterable<Uint8Array>): string {
  const hash = createHash("sha256");
  for (const bytes of answers) hash.update(bytes);
  return hash.digest("hex");
}

/** Returns a check that the fingerprint of some answers is the expected one. */
export function hasFingerprint(what: string, expected: string): (answers: Iterable<Uint8Array>) => void {
  return (answers) => expectAnswer(what, fingerprint(answers), expected);
}
