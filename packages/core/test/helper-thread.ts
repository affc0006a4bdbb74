/** A thread that checks receipts with a kernel of its own. */
import { parentPort } from "node:worker_threads";
import { selectKernel } from "../src/index.ts";
import { type SharedReceipts, takeReceipts } from "../src/objects/bundle/parts.ts";

const kernel = selectKernel("wasm");
parentPort?.on("message", (work: SharedReceipts) => parentPort?.postMessage(takeReceipts(kernel, work)));
