/** `pnpm bench python`: the Python SDK. */
import { type Groups, inFolder, measureGroups } from "../groups.ts";
import { queue, waiting } from "./queue.ts";
import { bundle, signatures, start, type VerifierBench } from "./verifier.ts";

/** The groups, by names under which each can be measured alone. */
export const GROUPS: Groups<VerifierBench> = { bundle, signatures, start, queue, waiting };

/** Measures some groups; all if none is named. Throws WrongAnswer. */
export async function benchPython({ quick, groups }: { quick: boolean; groups: readonly string[] }) {
  const rounds = quick ? 1 : 5;
  const rows = await inFolder((folder) => measureGroups(GROUPS, groups, { quick, rounds, folder }));
  return { rounds, rows };
}
