/** The size of the kernel, and the time of its start. The yardstick is a fixed limit. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { startWasmKernel } from "../../packages/core/src/kernel/wasm/index.ts";
import { median, type Row, rowOf, type Target, type Unit } from "../measure.ts";
import type { Bench } from "./bench.ts";

const MAX_BYTES = 170_000;
const MAX_GZIP_BYTES = 80_000;
const MAX_START_MS = 15;
const STARTS = 21;
const SOME_JSON = Buffer.from('{"b":1.5,"a":"text"}');
/** The encoding of the base point: a key, and a signature with S = 0 that does not hold. */
const SOME_BYTES = Buffer.from(`58${"66".repeat(31)}`, "hex");
/** A plain Node runs it, so that only the kernel's start is new to the process. */
const COLD_START = `
  const bytes = require("node:fs").readFileSync(process.argv[1]);
  const start = performance.now();
  new WebAssembly.Instance(new WebAssembly.Module(bytes), {});
  console.log(performance.now() - start);
`;

/**
 * Measures bytes, bytes after gzip -9, and milliseconds until it has started, and until it has answered for the first
 * time.
 */
export async function size({ wasmBytes, quick }: Bench): Promise<Row[]> {
  const starts: number[] = [];
  const answers: number[] = [];
  for (let number = 0; number < STARTS; number++) {
    const bytes = distinct(wasmBytes, number);
    const start = performance.now();
    const kernel = startWasmKernel(bytes);
    starts.push(performance.now() - start);
    kernel.openJson(SOME_JSON);
    kernel.verifyEd25519([{ publicKey: SOME_BYTES, message: SOME_BYTES, signature: Buffer.concat([SOME_BYTES], 64) }]);
    answers.push(performance.now() - start);
  }
  const path = fileURLToPath(new URL("../../packages/wasm/kernel.wasm", import.meta.url));
  const cold = Array.from({ length: quick ? 3 : 7 }, () => {
    const { stdout } = spawnSync(process.execPath, ["-e", COLD_START, path], { encoding: "utf8" });
    return Number.parseFloat(stdout);
  });
  const bytes = wasmBytes.length;
  const gzip = gzipSync(wasmBytes, { level: 9 }).length;
  return [
    limited("kernel.wasm", "bytes", bytes, MAX_BYTES),
    limited("kernel.wasm, gzip -9", "bytes", gzip, MAX_GZIP_BYTES),
    limited("compile + instantiate, bytes never seen before", "ms", median(starts), MAX_START_MS),
    limited("compile + instantiate, first in a new process", "ms", median(cold), MAX_START_MS),
    // Functions are compiled when they are first called.
    limited("and a first document and signature", "ms", median(answers), MAX_START_MS, null),
  ];
}

function limited(work: string, unit: Unit, wasm: number, limit: number, target: Target | null = { at_most: 1 }): Row {
  return rowOf({ work, unit, wasm, reference: null, native: null, yardstick: limit, yardstick_name: "limit", target });
}

/** Returns the same kernel in other bytes, with a custom section: a runtime caches compiled modules by their bytes. */
function distinct(wasmBytes: Uint8Array, number: number): Uint8Array {
  const name = Buffer.from("bench");
  return Buffer.concat([wasmBytes, Buffer.of(0, name.length + 2, name.length), name, Buffer.of(number)]);
}
