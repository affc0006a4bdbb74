/**
 * Fork evidence of the kind `leaf` (protocol section 11): a receipt, and a window that shows another event at the same
 * place.
 */
import type { Window } from "../window.ts";
import type { ForkRule } from "./rules.ts";

/**
 * The rule for the kind `leaf`. Leaves and inclusions are the window's own: its examination checks them against its
 * root.
 */
export const contradictingLeaf: ForkRule = (_kernel, left, right) => {
  if (left.type !== "receipt" || right.type !== "window")
    return "the left side must be a receipt, the right one a window";
  const { seq_no, event_hash } = left.value;
  if (seq_no < right.value.from_seq_no || seq_no > right.value.to_seq_no)
    return "the receipt is of no event of the window";
  const shown = eventHashesAt(right.value, seq_no);
  if (shown.length === 0) return "the window shows no event hash at the receipt's place";
  return shown.includes(event_hash) ? "the window holds the receipt's event" : null;
};

/** Returns the event hashes that a window shows for a sequence number, in its leaves and in its inclusions. */
export function eventHashesAt({ from_seq_no, leaves, inclusions = [] }: Window, seqNo: number): string[] {
  const leaf = leaves?.[seqNo - from_seq_no];
  const included = inclusions.filter((inclusion) => inclusion.seq_no === seqNo).map(({ event_hash }) => event_hash);
  return leaf === undefined ? included : [leaf, ...included];
}
