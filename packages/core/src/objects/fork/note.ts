/**
 * Fork evidence of the kinds `note` and `witness` (protocol section 11): two signed notes of one origin that no one
 * tree can have. In the one kind the log signed both, in the other one witness cosigned both.
 */
import { divergenceFault } from "./divergence.ts";
import type { ForkRule } from "./rules.ts";

/** A tree of size 0 has one root; who signs another has signed nonsense, and no second history. */
const EMPTY = "the notes are of a tree of size 0, which tells no history";

/** The rule for the kind `note`. */
export const contradictingNotes: ForkRule = (kernel, left, right, { divergence }) => {
  if (left.type !== "note" || right.type !== "note") return "both sides must be texts of notes";
  if (left.value.origin !== right.value.origin) return "the notes are of two origins";
  if (divergence !== null) return divergenceFault(kernel, divergence, left.value, right.value);
  if (left.value.size !== right.value.size) return "the notes state two sizes, and no divergence is there";
  if (left.value.size === 0) return EMPTY;
  return left.value.root === right.value.root ? "both notes state the same root" : null;
};

/** The rule for the kind `witness`. The check of the signatures decides whether one witness cosigned both. */
export const doublyCosigned: ForkRule = (_kernel, left, right) => {
  if (left.type !== "note" || right.type !== "note") return "both sides must be texts of notes";
  if (left.value.origin !== right.value.origin) return "the notes are of two origins";
  if (left.value.size !== right.value.size) return "the notes state two sizes";
  if (left.value.size === 0) return EMPTY;
  return left.value.root === right.value.root ? "both notes state the same root" : null;
};
