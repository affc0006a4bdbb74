/**
 * `svc` for an installation: the entry of `svc-start.mjs`. It is beside the whole program, `svc.mjs`, and beside
 * `svc-verify.mjs`, which has only the command `verify`, and `svc-explain.mjs`, which has only what codes mean. It
 * loads the one that a call needs: a short call takes most of its time to read code.
 */
import process from "node:process";
import { guardOutput } from "./guard-output.ts";
import { answersVersion } from "./version-call.ts";

/** The name of the whole program, without its ending. The build inserts it. */
declare const SVC_NAME: string;

const args = process.argv.slice(2);
// A thread gets no words. The part holds all code of threads.
const isThread = args.length === 0 && !(await import("node:worker_threads")).isMainThread;

if (isThread || args[0] === "verify") await load("-verify");
else if (args[0] === "explain") await explain();
else if (args.length !== 1 || args[0] !== "--version") await load("");
else {
  guardOutput();
  if (!answersVersion(args)) await load("");
}

/** Answers a short call of `svc explain`; the whole program runs any other. */
async function explain(): Promise<void> {
  const { answersExplain } = (await load("-explain")) as typeof import("./explain-part.ts");
  guardOutput();
  if (!answersExplain(args)) await load("");
}

/** Runs the call with a file that is beside this one, under any name of this one. */
async function load(part: string): Promise<unknown> {
  return import(new URL(`${SVC_NAME}${part}.mjs`, import.meta.url).href);
}
