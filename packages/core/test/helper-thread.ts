/** A thread that checks receipts with its own kernel. */
import { parentPort } from "node:worker_threads";
import { selectKernel } from "../src/index.ts";
import { type SharedBundle, takeParts } from "../src/objects/bundle/parts.ts";

const kernel = selectKernel("wasm");
parentPort?.on("message", (work: SharedBundle) => parentPort?.postMessage(takeParts(kernel, work)));
