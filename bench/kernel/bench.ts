/** What every group of figures gets, and how answers are compared. */
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
  /** Null where there is none. */
  readonly native: Native | null;
}

const REFERENCE_ROUNDS = 3;
const QUICK_REFERENCE_ROUNDS = 1;

/** The reference kernel is slow: fewer rounds, and the caller gives it a smaller amount. Rates are compared, so that both are fair. */
export function slow({ quick }: Bench, contender: Contender): Contender {
  return { ...contender, maxRounds: quick ? QUICK_REFERENCE_ROUNDS : REFERENCE_ROUNDS };
}

/** SHA-256, in hex, of byte strings one after the other: answers are equal where this is. */
export function fingerprint(answers: Iterable<Uint8Array>): string {
  const hash = createHash("sha256");
  for (const bytes of answers) hash.update(bytes);
  return hash.digest("hex");
}

/** A check that the fingerprint of some answers is the one expected. */
export function hasFingerprint(what: string, expected: string): (answers: Iterable<Uint8Array>) => void {
  return (answers) => expectAnswer(what, fingerprint(answers), expected);
}
