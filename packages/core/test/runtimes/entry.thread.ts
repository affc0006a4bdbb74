/**
 * A thread of Node's: it answers with the module that it got, and then does everything that a process does with the
 * kernel's bytes.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { CompiledKernel } from "@svc/wasm";
import type { Case } from "./answers.ts";
import { runAll, runHandedOver } from "./runs.ts";

const { compiled, cases } = workerData as { compiled: CompiledKernel; cases: readonly Case[] };
const handedOver = await runHandedOver(compiled);
parentPort?.postMessage({ handedOver, runs: await runAll(cases, compiled.bytes) });
