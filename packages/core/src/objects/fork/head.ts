/**
 * Fork evidence of the kinds `head` and `chain` (protocol section 11): two heads of a stream after one event, and two
 * receipts in a row of which the second does not follow the first.
 */
import type { ForkRule } from "./rules.ts";
import type { Side } from "./sides.ts";

/** A head, and the event after which it holds. */
interface StatedHead {
  readonly seqNo: number;
  readonly head: string;
}

function headOf({ type, value }: Side): StatedHead | null {
  if (type === "receipt") return { seqNo: value.seq_no, head: value.stream_head_hash };
  if (type === "window" || type === "checkpoint") return { seqNo: value.to_seq_no, head: value.stream_head_hash };
  return null;
}

/** The rule for the kind `head`. */
export const contradictingHeads: ForkRule = (_kernel, left, right) => {
  const [one, other] = [headOf(left), headOf(right)];
  if (one === null || other === null) return "heads are stated by receipts, windows and checkpoints only";
  if (one.seqNo !== other.seqNo) return "the sides state the heads after two different events";
  return one.head === other.head ? "both sides state the same head" : null;
};

/** The rule for the kind `chain`. */
export const brokenChain: ForkRule = (_kernel, left, right) => {
  if (left.type !== "receipt" || right.type !== "receipt") return "a chain is broken by two receipts";
  if (right.value.seq_no !== left.value.seq_no + 1) return "the right event is not the one right after the left";
  return right.value.previous_event_hash === left.value.event_hash ? "the right event chains to the left one" : null;
};
