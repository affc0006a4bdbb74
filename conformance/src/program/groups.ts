/**
 * The process groups of the programs under test. A program is often a shell with children, so the whole group ends, and
 * none of them outlives the runner. Linux and macOS: Windows has no process groups.
 */
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import process from "node:process";

/** Waits for the end of a pipe from the runner, which comes also when that is killed. */
const GUARD = 'while read -r line; do :; done; kill -s KILL -- "-$1"';

/** The guard of each group that runs, by its leader. */
const running = new Map<number, Socket>();

/** Remembers a group until it ends, and has it killed if the runner is. `leader`: the id of its first process. */
export function groupStarted(leader: number): void {
  const guard = spawn("sh", ["-c", GUARD, "sh", `${leader}`], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  const pipe = guard.stdin as Socket;
  // The runner does not wait for it, and can do without.
  guard.on("error", () => undefined).unref();
  pipe.on("error", () => undefined).unref();
  running.set(leader, pipe);
}

/** Kills a group, whichever processes are left in it. */
export function killGroup(leader: number): void {
  running.get(leader)?.end();
  running.delete(leader);
  try {
    process.kill(-leader, "SIGKILL");
  } catch (error) {
    // No process is left, or (macOS) none that has not ended.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

/** Kills all groups that still run. */
export function killGroups(): void {
  for (const leader of running.keys()) killGroup(leader);
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
