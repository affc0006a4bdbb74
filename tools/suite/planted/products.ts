/** The products with the fault in them: one process builds them for all test files that need some. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const PROGRAM = fileURLToPath(new URL("build.ts", import.meta.url));

/** Products that are being built. */
export interface Products {
  /** Resolves to their folder; null if they cannot be built: a test file then builds what it needs, and fails. */
  readonly folder: Promise<string | null>;
  /** Ends the build, and deletes the folder. */
  close(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Ends all builds at once, for a tool that has to end. */
export function endBuilds(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** Begins to build. */
export function buildProducts(): Products {
  const hook = join(ROOT, "tools/pinned-node.mjs");
  const child = spawn(process.execPath, ["--import", hook, PROGRAM], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "ignore"],
  });
  running.add(child);
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (more: string) => {
    text += more;
  });
  const ended = once(child, "close").finally(() => running.delete(child));
  const folder = ended.then(([code]) => (code === 0 ? text.trim() : null));
  return {
    folder,
    close: async () => {
      child.kill("SIGKILL");
      const path = await folder;
      if (path !== null) rmSync(path, { recursive: true, force: true });
    },
  };
}
