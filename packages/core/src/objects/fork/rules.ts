/**
 * The rules by which two sides are incompatible, one for each kind of fork evidence (protocol section 11). A rule looks
 * at the members of the sides; judge.ts decides whether each of them is whole and signed, and who signed it.
 */
import type { Kernel } from "../../kernel/kernel.ts";
import { contradictingCheckpoints } from "./checkpoint.ts";
import { contradictingEpochs } from "./epoch.ts";
import { brokenChain, contradictingHeads } from "./head.ts";
import { contradictingLeaf } from "./leaf.ts";
import { contradictingNotes, doublyCosigned } from "./note.ts";
import { brokenPromise } from "./omission.ts";
import type { ForkEvidence, ForkKind } from "./schema.ts";
import { readSide, type Side, streamOf } from "./sides.ts";
import { contradictingWindows } from "./window.ts";

/** Returns in words why two sides do not exclude each other in the way that the evidence claims; null if they do. */
export type ForkRule = (kernel: Kernel, left: Side, right: Side, fork: ForkEvidence) => string | null;

const RULES: Readonly<Record<ForkKind, ForkRule>> = {
  head: contradictingHeads,
  chain: brokenChain,
  leaf: contradictingLeaf,
  window: contradictingWindows,
  checkpoint: contradictingCheckpoints,
  note: contradictingNotes,
  epoch: contradictingEpochs,
  witness: doublyCosigned,
  omission: brokenPromise,
};

/** The kinds that can be shown by a divergence. */
const WITH_DIVERGENCE: readonly ForkKind[] = ["checkpoint", "note", "epoch"];

/** The two sides of evidence that shows its claim, or the reason why it does not. */
export type ReadFork =
  | { readonly left: Side; readonly right: Side; readonly fault: null }
  | { readonly fault: string; readonly at: "" | "/left" | "/right" | "/stream_id" | "/divergence" };

/** Parses the two sides, and checks them by the rule of the kind. */
export function readFork(kernel: Kernel, fork: ForkEvidence): ReadFork {
  const left = readSide(fork.left);
  const right = readSide(fork.right);
  if (left === null) return { fault: "the left side is not the note of a tree", at: "/left" };
  if (right === null) return { fault: "the right side is not the note of a tree", at: "/right" };
  if ([left, right].some((side) => streamOf(side) !== fork.stream_id))
    return { fault: "it names another stream than a side is about", at: "/stream_id" };
  if (fork.divergence !== null && !WITH_DIVERGENCE.includes(fork.kind))
    return { fault: `evidence of the kind ${fork.kind} has no divergence`, at: "/divergence" };
  const fault = RULES[fork.kind](kernel, left, right, fork);
  return fault === null ? { left, right, fault } : { fault, at: "" };
}
