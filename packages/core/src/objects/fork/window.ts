/**
 * Fork evidence of the kind `window` (protocol section 11): two windows of one number, or ranges in another order than
 * the numbers.
 */
import { type Window, windowHash } from "../window.ts";
import type { ForkRule } from "./rules.ts";

/** The rule for the kind `window`. */
export const contradictingWindows: ForkRule = (kernel, left, right) => {
  if (left.type !== "window" || right.type !== "window") return "both sides must be windows";
  if (left.value.window_no === right.value.window_no)
    return windowHash(kernel, left.value) === windowHash(kernel, right.value) ? "both sides are the same window" : null;
  return inOrder(left.value, right.value) ? "the ranges of the windows are in the order of their numbers" : null;
};

function inOrder(one: Window, other: Window): boolean {
  const [earlier, later] = one.window_no < other.window_no ? [one, other] : [other, one];
  return earlier.to_seq_no < later.from_seq_no;
}
