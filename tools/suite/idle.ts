/** How much of the machine a run leaves idle near its end, when few files are left. */
import { cpus } from "node:os";

const EACH_MS = 500;
/** The part of a run that is looked at, before its end. */
const LAST = 1 / 5;

interface Sample {
  readonly at: number;
  /** The idle time of all processors since the machine started, in ms. */
  readonly idle: number;
}

/** Begins to watch. The function that it returns ends that, and returns the share of one processor's time. */
export function watchIdle(): () => number {
  const samples: Sample[] = [sample()];
  const timer = setInterval(() => samples.push(sample()), EACH_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return idleShare([...samples, sample()]);
  };
}

/** Returns the idle time in the last fifth of the samples, as a share of one processor's time there. */
export function idleShare(samples: readonly Sample[]): number {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.at === first.at) return 0;
  const from = last.at - (last.at - first.at) * LAST;
  const begin = samples.findLast(({ at }) => at <= from) ?? first;
  return (last.idle - begin.idle) / (last.at - begin.at);
}

function sample(): Sample {
  return { at: performance.now(), idle: cpus().reduce((sum, { times }) => sum + times.idle, 0) };
}
