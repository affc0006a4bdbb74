/**
 * The contender of `bench verify`, as a program: FILE KEY_HEX KERNEL THREADS. Verifies a bundle under one pinned key, and prints
 * {ok, receipts, ms, rss_mb} as the yardstick does: the time from before the file is read, the peak memory of the whole process.
 */
import { once } from "node:events";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import {
  type Helper,
  type PublicKeyHex,
  pinKeys,
  type SharedBundle,
  selectKernel,
  takeParts,
  verifyWithHelpers,
} from "../../packages/core/src/index.ts";

if (isMainThread) await verifyFile();
else {
  const kernel = selectKernel("wasm");
  parentPort?.on("message", (work: SharedBundle) => parentPort?.postMessage(takeParts(kernel, work)));
}

async function verifyFile(): Promise<void> {
  const start = performance.now();
  const [file = "", keyHex, name, threads] = process.argv.slice(2);
  const workers = Array.from({ length: Number(threads) - 1 }, () => new Worker(new URL(import.meta.url)));
  const helpers = workers.map((worker): Helper => {
    return async (work) => {
      worker.postMessage(work);
      const [answer] = await once(worker, "message");
      return answer;
    };
  });
  const kernel = selectKernel(name === "reference" ? "reference" : "wasm");
  const trust = pinKeys(kernel, [keyHex as PublicKeyHex]);
  const report = await verifyWithHelpers(readShared(file), { trust, kernel }, helpers);
  const ms = performance.now() - start;
  const receipts = (report.subject?.to_seq_no ?? 0) - (report.subject?.from_seq_no ?? 0) + 1;
  const ok = report.verdict === "verified" && report.assurance.complete;
  const rss_mb = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ ok, receipts, ms, rss_mb }));
  for (const worker of workers) await worker.terminate();
}

/** The bytes of a file, in memory that threads can share. */
function readShared(file: string): Uint8Array {
  const descriptor = openSync(file, "r");
  const bytes = new Uint8Array(new SharedArrayBuffer(fstatSync(descriptor).size));
  for (let at = 0; at < bytes.length; ) {
    const read = readSync(descriptor, bytes, at, Math.min(bytes.length - at, 2 ** 30), at);
    if (read === 0) throw new Error(`${file} became shorter while it was read`);
    at += read;
  }
  closeSync(descriptor);
  return bytes;
}
