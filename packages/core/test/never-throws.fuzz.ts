/**
 * Verifies random inputs with both kernels: `verify` never throws, its report is well formed, and both reports are the
 * same. By hand:
 *
 *     node packages/core/test/never-throws.fuzz.ts --count 10000000 [--seed 1] [--from 0] [--threads 2]
 *         [--out DIR]
 *
 * `--from I --count 1` with the seed of a find makes that input again. Each find is written to a separate file.
 */
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { type Kernel, type Report, referenceKernel, type SignatureItem, selectKernel, verify } from "../src/index.ts";
import { reportDifference } from "../src/report/difference.ts";
import { readCorpus } from "./never-throws-corpus.ts";
import { type Input, inputOf } from "./never-throws-inputs.ts";
import { reportFault } from "./never-throws-report.ts";

/** The inputs to verify, and the folder for finds. */
export interface FuzzOptions {
  readonly seed: number;
  /** The first index. */
  readonly from: number;
  readonly count: number;
  readonly threads: number;
  /** The folder for finds. */
  readonly out: string;
}

/** The result. */
export interface FuzzSummary {
  readonly verified: number;
  readonly untrusted: number;
  readonly rejected: number;
  /** The number of inputs by the code of the first problem. */
  readonly codes: Readonly<Record<string, number>>;
  /** The file of each find. */
  readonly finds: readonly string[];
}

/** More finds than these are mostly one and the same. */
const MAX_FINDS = 20;
const MAX_REMEMBERED = 50_000;
/** After so many inputs a thread reports its progress. */
const INPUTS_PER_LINE = 100_000;

/** Verifies the inputs, in several threads. Throws as a thread throws. */
export async function fuzz(options: FuzzOptions): Promise<FuzzSummary> {
  const { seed, from, count, threads, out } = options;
  const share = Math.ceil(count / threads);
  const runs = Array.from({ length: threads }, (_, thread) => {
    const start = from + thread * share;
    const own = { seed, from: start, count: Math.max(0, Math.min(share, from + count - start)), threads: 1, out };
    return once(new Worker(new URL(import.meta.url), { workerData: own }), "message") as Promise<[FuzzSummary]>;
  });
  return (await Promise.all(runs)).map(([summary]) => summary).reduce(added);
}

function added(one: FuzzSummary, other: FuzzSummary): FuzzSummary {
  const codes = { ...one.codes };
  for (const [code, count] of Object.entries(other.codes)) codes[code] = (codes[code] ?? 0) + count;
  return {
    verified: one.verified + other.verified,
    untrusted: one.untrusted + other.untrusted,
    rejected: one.rejected + other.rejected,
    codes,
    finds: [...one.finds, ...other.finds],
  };
}

function fuzzHere({ seed, from, count, out }: FuzzOptions): FuzzSummary {
  const corpus = readCorpus();
  const kernels = [selectKernel("wasm"), remembering(referenceKernel)] as const;
  const verdicts = { verified: 0, untrusted: 0, rejected: 0 };
  const codes: Record<string, number> = {};
  const finds: string[] = [];
  for (let index = from; index < from + count && finds.length < MAX_FINDS; index++) {
    if (index > from && index % INPUTS_PER_LINE === 0) console.error(`# ${index - from} of ${count} from ${from} on`);
    const input = inputOf(corpus, seed, index);
    const { report, fault } = judge(input, kernels);
    if (fault !== null) finds.push(writeFind(out, seed, index, input, fault));
    if (report === null) continue;
    verdicts[report.verdict]++;
    const code = report.problems[0]?.code;
    if (code !== undefined) codes[code] = (codes[code] ?? 0) + 1;
  }
  return { ...verdicts, codes, finds };
}

/** Returns in words the fault of how both kernels verify an input; null without one. */
function judge(
  { bytes, options }: Input,
  kernels: readonly [Kernel, Kernel],
): { readonly report: Report | null; readonly fault: string | null } {
  const reports: Report[] = [];
  for (const kernel of kernels) {
    try {
      const report = verify(bytes, { ...options, kernel });
      const fault = reportFault(report, options.kind);
      if (fault !== null) return { report, fault: `${kernel.name}: ${fault}` };
      reports.push(report);
    } catch (error) {
      return { report: null, fault: `${kernel.name} threw: ${(error as Error).stack ?? error}` };
    }
  }
  const [report, other] = reports as [Report, Report];
  const difference = reportDifference(report, other);
  return { report, fault: difference === null ? null : `the kernels differ: ${JSON.stringify(difference)}` };
}

/**
 * Returns the kernel, with its verdict on each signature kept: inputs from the same seeds carry the same signatures
 * again and again.
 */
function remembering(kernel: Kernel): Kernel {
  const known = new Map<string, boolean>();
  const verdict = (item: SignatureItem): boolean => {
    const name = [item.publicKey, item.signature, item.message]
      .map((bytes) => `${bytes.length}:${Buffer.from(bytes).toString("latin1")}`)
      .join("");
    const own = known.get(name) ?? kernel.verifyEd25519([item])[0] === true;
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(name, own);
    return own;
  };
  return { ...kernel, verifyEd25519: (items) => items.map(verdict) };
}

function writeFind(out: string, seed: number, index: number, { bytes, options }: Input, fault: string): string {
  mkdirSync(out, { recursive: true });
  const file = join(out, `svc-never-throws-${seed}-${index}.json`);
  const input_base64 = Buffer.from(bytes).toString("base64");
  writeFileSync(file, `${JSON.stringify({ seed, index, fault, ...options, input_base64 }, null, 1)}\n`);
  return file;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: "string", default: "100000" },
      seed: { type: "string", default: `${randomInt(2 ** 31)}` },
      from: { type: "string", default: "0" },
      threads: { type: "string", default: "2" },
      out: { type: "string", default: tmpdir() },
    },
  });
  const [count, seed, from, threads] = [values.count, values.seed, values.from, values.threads].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  if (![count, seed, from, threads].every((one) => Number.isSafeInteger(one) && one >= 0) || threads < 1)
    throw new RangeError("--count, --seed, --from and --threads are integers from 0, --threads from 1");
  console.log(`seed ${seed}, inputs ${from} to ${from + count - 1}, ${threads} threads`);
  const start = performance.now();
  const { finds, codes, ...verdicts } = await fuzz({ count, seed, from, threads, out: values.out });
  const seconds = (performance.now() - start) / 1000;
  console.log(
    JSON.stringify({ ...verdicts, codes, seconds: Math.round(seconds), perSecond: Math.round(count / seconds) }),
  );
  for (const file of finds) console.error(`FOUND: ${file}`);
  if (finds.length > 0) process.exitCode = 1;
}

if (!isMainThread && parentPort !== null && workerData !== null)
  parentPort.postMessage(fuzzHere(workerData as FuzzOptions));
else if (process.argv[1] !== undefined && pathToFileURL(resolve(process.argv[1])).href === import.meta.url)
  await main();
