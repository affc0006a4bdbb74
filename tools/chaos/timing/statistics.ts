/** Compares two rows of times, however many outliers they have. It reads no clock. */

/** The share at each end of a row that is left out. */
const TRIMMED = 0.1;
/** The bound of the standard normal distribution above which a difference counts: one in 1,700 by chance. */
const NOTABLE = 3.5;

export interface Comparison {
  readonly medianMs: number;
  readonly controlMedianMs: number;
  /** The difference of the trimmed means, with its standard error (Yuen). */
  readonly differenceMs: number;
  readonly errorMs: number;
  /** The chance that one of the row takes longer than one of the control: 0.5 without a difference (Mann-Whitney). */
  readonly longer: number;
  /** Whether both find a difference that chance does not explain. */
  readonly isNotable: boolean;
}

/** Compares a row of times with those of a control. Each has at least 20. */
export function compare(times: readonly number[], control: readonly number[]): Comparison {
  if (Math.min(times.length, control.length) < 20) throw new RangeError("too few times to compare");
  const [one, other] = [trimmed(times), trimmed(control)];
  const differenceMs = one.mean - other.mean;
  const errorMs = Math.hypot(one.error, other.error);
  const longer = chanceOfLonger(times, control);
  // The deviation of that chance without a difference.
  const deviation = Math.sqrt((times.length + control.length + 1) / (12 * times.length * control.length));
  return {
    medianMs: median(times),
    controlMedianMs: median(control),
    differenceMs,
    errorMs,
    longer,
    isNotable: Math.abs(differenceMs) > NOTABLE * errorMs && Math.abs(longer - 0.5) > NOTABLE * deviation,
  };
}

export function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]];
  return (low + high) / 2;
}

/** Returns the trimmed mean, and its standard error by the winsorized variance. */
function trimmed(times: readonly number[]): { readonly mean: number; readonly error: number } {
  const sorted = [...times].sort((a, b) => a - b);
  const cut = Math.floor(TRIMMED * sorted.length);
  const kept = sorted.slice(cut, sorted.length - cut);
  const [low = 0, high = 0] = [kept[0], kept.at(-1)];
  const winsorized = sorted.map((time) => Math.min(high, Math.max(low, time)));
  const centre = meanOf(winsorized);
  const variance = winsorized.reduce((sum, time) => sum + (time - centre) ** 2, 0) / (sorted.length - 1);
  const effective = sorted.length - 2 * cut;
  return {
    mean: meanOf(kept),
    error: Math.sqrt(((sorted.length - 1) * variance) / (effective * (effective - 1))),
  };
}

function meanOf(times: readonly number[]): number {
  return times.reduce((sum, time) => sum + time, 0) / times.length;
}

function chanceOfLonger(times: readonly number[], control: readonly number[]): number {
  const all = [...times.map((time) => ({ time, isOne: true })), ...control.map((time) => ({ time, isOne: false }))];
  all.sort((a, b) => a.time - b.time);
  let ranks = 0;
  for (let from = 0; from < all.length; ) {
    let to = from;
    while (to < all.length && all[to]?.time === all[from]?.time) to += 1;
    // Equal times share their ranks.
    const rank = (from + 1 + to) / 2;
    for (let index = from; index < to; index++) if (all[index]?.isOne === true) ranks += rank;
    from = to;
  }
  return (ranks - (times.length * (times.length + 1)) / 2) / (times.length * control.length);
}
