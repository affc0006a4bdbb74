/** Ends a program by a signal, and looks which of its processes stay. It reads /proc: Linux only. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "./until.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Every process of a script has it in its environment, except those that were given another environment. */
const MARK = "SVC_TEST_MARK";
const PAUSE_MS = 50;
/** A script may build a program before it starts it. */
const STARTED_MS = 120_000;

/** Why such a test is skipped; false if it can run. */
export const NO_PROC: string | false = existsSync("/proc/self/stat") ? false : "there is no /proc: NOT TESTED";

/** A process, which a later one of the same number is not. */
interface Process {
  readonly pid: number;
  readonly parent: number;
  /** The time of its start, in ticks since the machine's. */
  readonly startedAt: string;
  readonly words: string;
}

/** How a program ends: by a signal to it, or to its first child, which in tools/run.mjs is the step. */
export interface Ending {
  readonly signal: NodeJS.Signals;
  readonly to: "script" | "step";
}

/**
 * Starts Node with these words in the root of the repository, ends it once a process whose command line has this form
 * is among its descendants, and resolves when none of them is left. Rejects if one stays.
 */
export async function leavesNothing(t: TestContext, call: readonly string[], form: RegExp, { signal, to }: Ending) {
  const mark = randomUUID();
  // Node's runner would take a script that runs it for a part of this test.
  const env = { ...process.env, [MARK]: mark, NODE_TEST_CONTEXT: undefined };
  const child = spawn(process.execPath, call, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"], env });
  const pid = child.pid ?? 0;
  let seen: readonly Process[] = [];
  const left = () => {
    const isSeen = (one: Process) => seen.some((other) => other.pid === one.pid && other.startedAt === one.startedAt);
    return allProcesses().filter((one) => isSeen(one) || isMarked(one, mark));
  };
  t.after(() => {
    // A guard ends by itself, and before that those that nothing marks (server-folder.ts).
    for (const { pid: one, words } of left()) if (!words.startsWith("sh -c ")) process.kill(one, "SIGKILL");
  });
  const runs = async () => {
    assert.equal(child.exitCode, null, `${call.join(" ")} has ended`);
    // The parent of a process may have ended.
    seen = [...familyOf(pid), ...left()];
    return seen.some(({ words }) => form.test(words)) ? true : null;
  };
  await until(`${form} runs`, runs, PAUSE_MS, STARTED_MS);
  const step = seen.find(({ parent, words }) => parent === pid && !words.startsWith("sh "));
  process.kill(to === "script" ? pid : (step?.pid ?? assert.fail("there is no step")), signal);
  let stays: readonly Process[] = [];
  const areGone = async () => {
    stays = left();
    return stays.length === 0 ? true : null;
  };
  await until("nothing is left", areGone, PAUSE_MS).catch((cause) => {
    throw new Error(`These stay: ${stays.map(({ words }) => words).join("; ")}`, { cause });
  });
}

/** Returns a process and all that descend from it. */
function familyOf(pid: number): readonly Process[] {
  const all = allProcesses();
  const family = new Set(all.filter((one) => one.pid === pid));
  // A set that grows while it is read is read to its end.
  for (const one of family) for (const other of all) if (other.parent === one.pid) family.add(other);
  return [...family];
}

/** Returns all processes but those that have ended, and that nobody has asked for their exit code. */
function allProcesses(): readonly Process[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const [stat, words] = [readOf(name, "stat"), readOf(name, "cmdline")];
    // The name of the process, in parentheses, can have any character in it.
    const [state = "Z", parent, ...others] = stat.replace(/^.*\) /s, "").split(" ");
    if (state === "Z" || state === "X") return [];
    return [
      { pid: Number(name), parent: Number(parent), startedAt: others[17] ?? "", words: words.replaceAll("\0", " ") },
    ];
  });
}

function isMarked({ pid }: Process, mark: string): boolean {
  return readOf(`${pid}`, "environ").split("\0").includes(`${MARK}=${mark}`);
}

/** Returns a file of a process; nothing for one that is gone, or of somebody else. */
function readOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
