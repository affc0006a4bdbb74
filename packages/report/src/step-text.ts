/** The words for the steps that each verdict shows: `signed`, `included` and so on. */
import type { CodeText } from "./code-text.ts";
import type { StepName } from "./ladder.ts";
import { voucherOf } from "./page/vouchers.ts";

const MEANINGS: Readonly<Record<StepName, string>> = {
  signed: "Every signature in the object holds under the key that it names.",
  included:
    "The events are leaves of Merkle trees whose roots are signed: windows of events, and checkpoints of " + "windows.",
  witnessed:
    "Witnesses cosigned the newest checkpoint; each signs only what extends the checkpoint that it saw before.",
  published: "The newest checkpoint is a leaf of the signer's log over all of its streams.",
  anchored: "The root of that log was written into a public blockchain, so it is at least as old as a block.",
  vault: "A vault sealed what was done with content that stays with its owner.",
  level: "How far what vaults state is substantiated, from L0 to L3, for each event.",
};

/** The names of all steps, in the order in which a verdict shows them. */
export const STEP_NAMES: readonly StepName[] = Object.keys(MEANINGS) as StepName[];

/** The facts about a step. */
export type StepFacts = {
  readonly step: StepName;
  readonly meaning: string;
  /** Who vouches for it, and what it takes to fake it, where a pin of the reader leads to the signer. */
  readonly vouched_by: string;
  readonly faked_by: string;
};

/** Returns the facts about a step. */
export function stepFacts(step: StepName): StepFacts {
  const { who, faked } = voucherOf(step, true);
  return { step, meaning: MEANINGS[step], vouched_by: who, faked_by: faked };
}

/** Returns the text about a step. */
export function stepText(step: StepName): CodeText {
  const { meaning, vouched_by, faked_by } = stepFacts(step);
  return {
    summary: meaning,
    points: [
      { title: "Who vouches for it", text: vouched_by },
      { title: "How it could be faked", text: faked_by },
      {
        title: "Its mark",
        text:
          "● it holds; ◐ it holds, but no pin of yours leads to the signer, or it holds in part; ○ it is not here, " +
          "or adds nothing; ✗ it fails.",
      },
    ],
  };
}
