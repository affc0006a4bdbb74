// Runs a step of a script in a separate process group. None of the group is left when the step or the script has
// ended, however it ended: a shell waits for the end of a pipe from the script, which the system closes also for a
// process that was killed, and then kills the group. So no tool has to know the processes of its processes. A process
// that leaves the group is ended by the one that started it (packages/testkit/src/server-folder.ts,
// conformance/src/program/groups.ts). Plain Node, because it runs before anything is installed.
import { spawn } from "node:child_process";
import { constants } from "node:os";

const GUARD = 'while read -r line; do :; done; kill -s "$1" -- "$2"';

/** The signals that end a step. */
const HANDED_ON = ["SIGTERM", "SIGINT", "SIGHUP"];

/**
 * Runs a program in a separate group; resolves to its exit code, or to a shell's code for a signal that ended it. The
 * terminal's signals reach this process alone, and are handed on.
 *
 * @param {string} program
 * @param {readonly string[]} words
 * @param {import("node:child_process").SpawnOptions} options
 * @returns {Promise<number>}
 */
export function runInGroup(program, words, options) {
  const child = spawn(program, words, { ...options, detached: true });
  const { pid } = child;
  const guard = pid === undefined ? null : startGuard("KILL", -pid);
  const stop = () => {
    // All of them, as the terminal does it; then this process, as if it had not listened.
    process.kill(-pid, "SIGSTOP");
    process.kill(process.pid, "SIGSTOP");
  };
  const goOn = () => process.kill(-pid, "SIGCONT");
  return ended(child, guard, {
    ...Object.fromEntries(HANDED_ON.map((signal) => [signal, () => child.kill(signal)])),
    SIGTSTP: stop,
    SIGCONT: goOn,
  });
}

/**
 * Runs a program in the group of this process, so that it has the terminal as if it had been started by hand; resolves
 * as `runInGroup` does. It gets SIGTERM if this process is killed.
 *
 * @param {string} program
 * @param {readonly string[]} words
 * @param {import("node:child_process").SpawnOptions} options
 * @returns {Promise<number>}
 */
export function runAtTerminal(program, words, options) {
  const child = spawn(program, words, options);
  const guard = child.pid === undefined ? null : startGuard("TERM", child.pid);
  return ended(child, guard, {
    SIGTERM: () => child.kill("SIGTERM"),
    SIGHUP: () => child.kill("SIGHUP"),
    // A terminal sends it to both: a second one would mean that somebody is in a hurry.
    SIGINT: () => undefined,
  });
}

/** The guard has a separate group, which neither the terminal's signals nor those to the step's group reach. */
function startGuard(signal, target) {
  const stdio = ["pipe", "ignore", "ignore"];
  const shell = spawn("sh", ["-c", GUARD, "sh", signal, `${target}`], { stdio, detached: true });
  // Somebody may have ended it.
  shell.stdin.on("error", () => undefined);
  const over = new Promise((resolve) => shell.once("exit", resolve).once("error", resolve));
  return {
    end: () => {
      shell.stdin.end();
      return over;
    },
  };
}

/** Resolves to a program's exit code when its guard has ended too. Rejects where the program cannot be started. */
function ended(child, guard, handlers) {
  return new Promise((resolve, reject) => {
    for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler);
    child.on("error", reject);
    child.on("exit", async (code, signal) => {
      for (const [each, handler] of Object.entries(handlers)) process.off(each, handler);
      await guard?.end();
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}
