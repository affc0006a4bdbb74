/**
 * The process groups of the programs under test. A program is often a shell with children, so the whole group ends, and
 * none of them outlives the runner. Linux and macOS: Windows has no process groups.
 */
import process from "node:process";

const running = new Set<number>();

/** Remembers a group until it ends. `leader`: the process id of its first process. */
export function groupStarted(leader: number): void {
  running.add(leader);
}

/** Kills a group, whoever is left in it. */
export function killGroup(leader: number): void {
  running.delete(leader);
  try {
    process.kill(-leader, "SIGKILL");
  } catch (error) {
    // Nobody is left, or (macOS) nobody that has not ended.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

/** Kills all groups that still run. */
export function killGroups(): void {
  for (const leader of running) killGroup(leader);
}

/** Kills all groups when this process ends, also by a signal. */
export function killGroupsAtExit(): void {
  process.on("exit", killGroups);
  for (const [signal, number] of [
    ["SIGINT", 2],
    ["SIGTERM", 15],
    ["SIGHUP", 1],
  ] as const)
    process.on(signal, () => process.exit(128 + number));
}
