/** The value of `--seq`: numbers of events and ranges of them, as in `3,7-9`. */
import { InvalidArgumentError } from "commander";
import { parseOrdinal } from "../evidence-file/options.ts";

/** The most events that one call may name, so that a slip in a range does not take all memory. */
export const MAX_NAMED_EVENTS = 1_000_000;

/**
 * Returns the numbers, ascending, each once. Throws InvalidArgumentError for anything but ranges of numbers from 1 on.
 */
export function parseSequenceNumbers(text: string, previous: unknown): number[] {
  if (previous !== undefined) throw new InvalidArgumentError("It is given twice; list all numbers in one.");
  const numbers = new Set<number>();
  for (const part of text.split(",")) {
    const [first = "", last = first, ...more] = part.split("-");
    const [from, to] = [parseOrdinal(first), parseOrdinal(last)];
    if (from === null || to === null || more.length > 0)
      throw new InvalidArgumentError(`"${part}" is no event number and no range. Write them as in 3,7-9.`);
    if (to < from) throw new InvalidArgumentError(`The range ${part} ends before it starts.`);
    if (to - from >= MAX_NAMED_EVENTS - numbers.size)
      throw new InvalidArgumentError(`It names more than ${MAX_NAMED_EVENTS} events.`);
    for (let number = from; number <= to; number++) numbers.add(number);
  }
  return [...numbers].sort((a, b) => a - b);
}

/** Returns ascending numbers as people write them: `3, 7 to 9`. */
export function inRanges(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`)).join(", ");
}
