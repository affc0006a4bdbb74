/** `pnpm bench sdk`: the append queue of the TypeScript SDK. */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type Groups, inFolder, measureGroups } from "../groups.ts";
import { type QueueBench, queueMemory, queueRate } from "./queue.ts";

/** The groups, by names under which each can be measured alone. */
export const GROUPS: Groups<QueueBench> = { queue: queueRate, memory: queueMemory };

const PROGRAM = fileURLToPath(new URL("queue-program.ts", import.meta.url));

/** Measures some groups; all if none is named. Throws WrongAnswer. */
export async function benchSdk({ quick, groups }: { quick: boolean; groups: readonly string[] }) {
  const rounds = quick ? 1 : 5;
  const command = [process.execPath, PROGRAM];
  const rows = await inFolder((folder) =>
    measureGroups(GROUPS, groups, { quick, rounds, folder, command, atLeast: 0.8, flat: "heldMib" }),
  );
  return { rounds, rows };
}
