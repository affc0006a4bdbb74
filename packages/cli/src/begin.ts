/**
 * Runs the command line, or, in a thread that `svc` started itself, that thread's part. It sets the exit code and never
 * calls `process.exit`, so that everything written arrives.
 */
import process from "node:process";
import { guardOutput } from "./guard-output.ts";
import { type Commands, run } from "./program.ts";
import { serve } from "./verify/many/thread.ts";
import { answersVersion } from "./version-call.ts";

/** Runs the call of this process with these commands. */
export async function begin(commands: Commands): Promise<void> {
  const args = process.argv.slice(2);
  // A thread gets no words, and few calls have none.
  if (args.length === 0 && !(await import("node:worker_threads")).isMainThread) return serve();
  guardOutput();
  if (!answersVersion(args)) await run(commands, args);
}
