/**
 * The form of the function that checks the evidence of a mined anchor: evidence.ts has it. It is passed in,
 * because a page may load it only for evidence that has an anchor in a block.
 */
import type { CheckId } from "../../report/checks.ts";
import type { Examination } from "../../report/examination.ts";
import type { MinedAnchor } from "./state.ts";

/** A block that holds the epoch hash. */
export interface ProvenBlock {
  /** The time in its header. */
  readonly unixSeconds: number;
  /** Whether the verifier pins this very block. */
  readonly isPinned: boolean;
  /** Whether the verifier pins the contract's code. */
  readonly isCodePinned: boolean;
}

/** Checks the evidence of a mined anchor. Returns null if it does not hold; each fault is rejected with its code. */
export type ChainExaminer = (
  exam: Examination,
  anchor: MinedAnchor,
  path: string,
  check: CheckId,
) => ProvenBlock | null;
