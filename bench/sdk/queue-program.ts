/**
 * A queueing program, for `bench sdk`: a separate process, which gives events to an append queue on a file spool.
 * Prints one JSON object.
 */
import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type PublicKeyHex, pinKeys, SvcClient, selectKernel } from "../../packages/sdk/src/index.ts";
import { FileSpool } from "../../packages/sdk/src/node/index.ts";
import { eventOf } from "../server/event.ts";

/** The task of the program. */
export interface Queueing {
  readonly url: string;
  readonly apiKey: string;
  /** The pinned key. */
  readonly publicKeyHex: string;
  readonly streamId: string;
  /** The folder of the spool. */
  readonly folder: string;
  /** How many events are given at a time. */
  readonly together: number;
  /** Gives events for so long, and waits until all have receipts; null: gives `events`, and waits for none. */
  readonly seconds: number | null;
  readonly events: number;
  /** The limit of the spool, in bytes; null for none. */
  readonly maxBytes: number | null;
}

/** The result. */
export interface Queued {
  readonly events: number;
  readonly seconds: number;
  readonly receipts: number;
  /** Events that were waiting at the end. */
  readonly waiting: number;
  /** Its memory at the end, after garbage collection: heap and buffers. */
  readonly heldMib: number;
  readonly peakMib: number;
  /** Processor time of the process, from its start on. */
  readonly processorSeconds: number;
}

const queueing = JSON.parse(process.argv[2] ?? "") as Queueing;
const { url, apiKey, publicKeyHex, streamId, folder, together, seconds, maxBytes } = queueing;
const trust = pinKeys(selectKernel(), [publicKeyHex as PublicKeyHex]);
const stream = new SvcClient({ baseUrl: url, apiKey, trust }).stream(streamId);
let receipts = 0;
const spool = new FileSpool({ folder, ...(maxBytes === null ? {} : { maxBytes }) });
const queue = await stream.openQueue({
  spool,
  onReceipts: (batch) => {
    receipts += batch.length;
  },
});
const start = performance.now();
let events = 0;
const isEnough = () => (seconds === null ? events >= queueing.events : performance.now() - start > seconds * 1000);
while (!isEnough()) await Promise.all(Array.from({ length: together }, () => stream.appendLater(eventOf(++events))));
if (seconds !== null) await queue.flush();
const took = (performance.now() - start) / 1000;
const waiting = queue.waiting().events;
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
collectGarbage();
// Weakly held objects are released in a separate turn of the event loop.
await new Promise((resolve) => setImmediate(resolve));
collectGarbage();
const { heapUsed, external } = process.memoryUsage();
await queue.close();
const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
const heldMib = (heapUsed + external) / 2 ** 20;
const { user, system } = process.cpuUsage();
const [peakMib, processorSeconds] = [Number(kib) / 1024, (user + system) / 1e6];
const queued: Queued = { events, seconds: took, receipts, waiting, heldMib, peakMib, processorSeconds };
console.log(JSON.stringify(queued));
