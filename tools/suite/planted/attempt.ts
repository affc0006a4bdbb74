/**
 * Runs one test file in a separate process group, up to its first failure, and ends all that it has started. Nothing
 * is built before: a file that needs a product builds that itself, from the sources with the fault.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const HOOKS = ["tools/pinned-node.mjs", "tools/suite/modules.mjs"];
/** The time between asking a group to end and ending it. */
const GRACE_MS = 1000;
/** A failed test in the runner's report, and not one that is yet to be done. */
const FAILED = /^\s*not ok \d+ - (.*)$/m;
const TO_DO = / # TODO/;

/** How a file ended: `stopped` says nothing of it. */
export interface Ended {
  readonly how: "passed" | "failed" | "endless" | "stopped";
  /** The name of its first failed test; empty without one. */
  readonly failure: string;
}

const running = new Set<ChildProcess>();

/** Ends all files at once, for a tool that has to end. */
export function endAll(): void {
  for (const child of running) signalled(child, "SIGKILL");
}

/** Runs a file. Resolves when its group is gone. */
export async function attempt(
  file: string,
  {
    environment,
    limitMs,
    signal,
  }: { readonly environment: NodeJS.ProcessEnv; readonly limitMs: number; readonly signal: AbortSignal },
): Promise<Ended> {
  if (signal.aborted) return { how: "stopped", failure: "" };
  const hooks = HOOKS.map((hook) => `--import=${pathToFileURL(join(ROOT, hook))}`);
  const child = spawn(process.execPath, [...hooks, "--test-reporter=tap", join(ROOT, file)], {
    cwd: ROOT,
    env: environment,
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  running.add(child);
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const stop = () => resolve({ how: "stopped", failure: "" });
  const timer = setTimeout(() => resolve({ how: "endless", failure: `not over within ${limitMs / 1000} s` }), limitMs);
  signal.addEventListener("abort", stop);
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (more: string) => {
    text = (text + more).slice(-20_000);
    const [line, name = ""] = FAILED.exec(text.slice(0, text.lastIndexOf("\n") + 1)) ?? [];
    if (line !== undefined && !TO_DO.test(line)) resolve({ how: "failed", failure: name });
  });
  child.on("error", (error) => resolve({ how: "failed", failure: error.message }));
  child.on("exit", (code) => resolve({ how: code === 0 ? "passed" : "failed", failure: code === 0 ? "" : "it ended" }));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    await ended(child);
    running.delete(child);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (signalled(child, "SIGTERM")) await new Promise((resolve) => setTimeout(resolve, GRACE_MS / 4));
  const until = Date.now() + GRACE_MS;
  while (signalled(child, 0) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
  signalled(child, "SIGKILL");
}

/** Sends a signal to the group of a process. Returns whether somebody is there. */
function signalled(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    process.kill(-child.pid, signal);
    return true;
  } catch {
    return false;
  }
}
