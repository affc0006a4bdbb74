/**
 * Samples of long lists, for tests that would take minutes with all of them: other members each time, by a seed that
 * a test prints. SVC_CASES_SEED=N repeats a run, and SVC_CASES=all leaves nothing out.
 */
import process from "node:process";

const SEED = Number(process.env.SVC_CASES_SEED ?? Date.now() % 2 ** 31);
const TAKES_ALL = process.env.SVC_CASES === "all";

/** The line that repeats a sample. */
export const REPEAT: string = TAKES_ALL ? "SVC_CASES=all" : `SVC_CASES_SEED=${SEED}`;

/** Returns one member of each `oneIn` neighbours, in their order; all members of a list that is shorter. */
export function sample<T>(list: readonly T[], oneIn: number): T[] {
  return TAKES_ALL || list.length < oneIn ? [...list] : list.filter((_, index) => (index + SEED) % oneIn === 0);
}
