/** `pnpm bench python`: the Python SDK. */
import { type Groups, inFolder, measureGroups } from "../groups.ts";
import type { QueueBench } from "../sdk/queue.ts";
import { queue, waiting } from "./queue.ts";

type PythonBench = Pick<QueueBench, "quick" | "rounds" | "folder">;

/** The groups, by names under which each can be measured alone. */
export const GROUPS: Groups<PythonBench> = { queue, waiting };

/** Measures some groups; all if none is named. Throws WrongAnswer. */
export async function benchPython({ quick, groups }: { quick: boolean; groups: readonly string[] }) {
  const rounds = quick ? 1 : 5;
  const rows = await inFolder((folder) => measureGroups(GROUPS, groups, { quick, rounds, folder }));
  return { rounds, rows };
}
