/** A server that others disturb while it is measured. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { WrongAnswer } from "../measure.ts";
import type { Answers, Disturbance } from "./hostile.ts";

/** The events of a batch that is repeated: they are recorded once. */
export const REPEATED_EVENTS = 1000;

const PROGRAM = fileURLToPath(new URL("hostile.ts", import.meta.url));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Resolves to the result of a load while the server is disturbed. Throws WrongAnswer if it was not disturbed. */
export async function under<Result>(disturbance: Disturbance, load: () => Promise<Result>): Promise<Result> {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(disturbance)], {
    stdio: ["ignore", "pipe", "inherit"],
    cwd: ROOT,
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const begun = await lines.next();
  if (begun.done === true) throw new WrongAnswer(`nobody has disturbed the server: ${disturbance.what}`);
  const served = await load().finally(() => child.kill("SIGTERM"));
  const answers = JSON.parse((await lines.next()).value ?? "") as Answers;
  if (process.stderr.isTTY) console.error(`answers to ${disturbance.what}: ${JSON.stringify(answers)}`);
  return served;
}
