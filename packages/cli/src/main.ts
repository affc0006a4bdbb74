/**
 * `svc`: runs the command line, or, in a thread that it started itself, that thread's part. It sets the exit code and never calls
 * `process.exit`, so that everything written arrives.
 */
import process from "node:process";
import { isMainThread } from "node:worker_threads";
import { serve } from "./many/thread.ts";
import { guardOutput } from "./output.ts";
import { run } from "./program.ts";

if (isMainThread) {
  guardOutput();
  await run(process.argv.slice(2));
} else await serve();
