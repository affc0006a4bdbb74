/**
 * `svc` where it stays installed: what `svc-start.mjs` is. It stands beside the whole program, `svc.mjs`, and beside `svc-verify.mjs`, which is the
 * same without the other commands, and loads the one that a call needs: most of the time of a short call is that of reading code.
 */
import process from "node:process";
import { guardOutput } from "./guard-output.ts";
import { answersVersion } from "./version-call.ts";

/** What the whole program is called, without its ending. Put in by the build. */
declare const SVC_NAME: string;

const args = process.argv.slice(2);
// A thread has no words. All that threads do is in the part.
const isThread = args.length === 0 && !(await import("node:worker_threads")).isMainThread;

if (isThread || args[0] === "verify") await load("-verify");
else if (args.length !== 1 || args[0] !== "--version") await load("");
else {
  guardOutput();
  if (!answersVersion(args)) await load("");
}

/** Runs the call with a file that stands beside this one, whatever this one is called. */
async function load(part: string): Promise<void> {
  await import(new URL(`${SVC_NAME}${part}.mjs`, import.meta.url).href);
}
