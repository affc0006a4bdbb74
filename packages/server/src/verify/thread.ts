/** The thread of one large object: verifies it, answers, and ends with all the memory that it took. */
import { parentPort, workerData } from "node:worker_threads";
import { kernel } from "../kernel.ts";
import { examine, type Question } from "./examine.ts";

parentPort?.postMessage(examine(kernel, workerData as Question));
