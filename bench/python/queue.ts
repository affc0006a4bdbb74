/** The append queue of the Python SDK, its program in `queue_program.py`, measured as the one of `bench sdk`. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { environment, FOLDER, pythons, saysMissing } from "@svc/testkit/python";
import type { Row } from "../measure.ts";
import { type QueueBench, queueMemory, queueRate } from "../sdk/queue.ts";

const PROGRAM = fileURLToPath(new URL("queue_program.py", import.meta.url));

/** The part of a bench that all groups get. */
type Bench = Pick<QueueBench, "quick" | "rounds" | "folder">;

/** Events through the queue, receipts verified, against batches whose answers are only counted. */
export async function queue(bench: Bench): Promise<Row[]> {
  return queueRate(await queueBench(bench));
}

/** A program whose events wait for a service, by the peak of its process. */
export async function waiting(bench: Bench): Promise<Row[]> {
  return queueMemory(await queueBench(bench));
}

async function queueBench({ quick, rounds, folder }: Bench): Promise<QueueBench> {
  const [command] = await pythons();
  if (command === undefined) throw new Error(saysMissing());
  const python = await environment(command);
  const words = ["env", `PYTHONPATH=${join(FOLDER, "src")}`, python, PROGRAM];
  return { quick, rounds, folder, command: words, atLeast: 0.6, flat: "peakMib" };
}
