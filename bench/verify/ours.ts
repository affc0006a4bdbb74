/**
 * The contender of `bench verify`, as a program: FILE KEY_HEX KERNEL THREADS. Verifies a bundle under one pinned key,
 * and prints {ok, receipts, ms, rss_mb} as the yardstick does: the time from before the file is read, the peak memory
 * of the whole process.
 */
import { once } from "node:events";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import {
  type Helper,
  type PublicKeyHex,
  pinKeys,
  type SharedBundle,
  selectKernel,
  takeParts,
  verify,
  verifyWithHelpers,
} from "../../packages/core/src/index.ts";

/** An order for a helper: to read its share of the file, or to take parts of the work. */
type Order =
  | { readonly file: string; readonly share: Uint8Array; readonly at: number }
  | { readonly work: SharedBundle };

if (isMainThread) await verifyFile();
else {
  const kernel = selectKernel("wasm");
  parentPort?.on("message", (order: Order) => {
    if ("file" in order) readInto(order.share, order.file, order.at);
    parentPort?.postMessage("file" in order ? null : takeParts(kernel, order.work));
  });
}

async function verifyFile(): Promise<void> {
  const start = performance.now();
  const [file = "", keyHex, name, threads] = process.argv.slice(2);
  const workers = Array.from({ length: Number(threads) - 1 }, () => new Worker(new URL(import.meta.url)));
  const kernel = selectKernel(name === "reference" ? "reference" : "wasm");
  const trust = pinKeys(kernel, [keyHex as PublicKeyHex]);
  const report =
    workers.length === 0
      ? verify(readAlone(file), { trust, kernel })
      : await verifyWithHelpers(await readTogether(file, workers), { trust, kernel }, workers.map(helperOf));
  const ms = performance.now() - start;
  const receipts = (report.subject?.to_seq_no ?? 0) - (report.subject?.from_seq_no ?? 0) + 1;
  const ok = report.verdict === "verified" && report.assurance.complete;
  const rss_mb = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ ok, receipts, ms, rss_mb }));
  for (const worker of workers) await worker.terminate();
}

function helperOf(worker: Worker): Helper {
  return (work) => tell(worker, { work });
}

async function tell(worker: Worker, order: Order) {
  worker.postMessage(order);
  const [answer] = await once(worker, "message");
  return answer;
}

function readAlone(file: string): Uint8Array {
  const bytes = new Uint8Array(statSync(file).size);
  readInto(bytes, file, 0);
  return bytes;
}

/** Resolves to the bytes of a file, in memory that threads share; each thread reads a share of them. */
async function readTogether(file: string, workers: readonly Worker[]): Promise<Uint8Array> {
  const bytes = new Uint8Array(new SharedArrayBuffer(statSync(file).size));
  const length = Math.ceil(bytes.length / (workers.length + 1));
  const shares = workers.map((worker, index) => {
    const at = (index + 1) * length;
    return tell(worker, { file, share: bytes.subarray(at, at + length), at });
  });
  readInto(bytes.subarray(0, length), file, 0);
  await Promise.all(shares);
  return bytes;
}

/** Fills `bytes` with the bytes of a file from `from` on. */
function readInto(bytes: Uint8Array, file: string, from: number): void {
  const descriptor = openSync(file, "r");
  for (let at = 0; at < bytes.length; ) {
    const read = readSync(descriptor, bytes, at, Math.min(bytes.length - at, 2 ** 30), from + at);
    if (read === 0) throw new Error(`${file} became shorter while it was read`);
    at += read;
  }
  closeSync(descriptor);
}
