/** Starts the kernel in every possible way, in the runtime that this is bundled for, and returns the result of each. */
import { type CompiledKernel, KernelInstance } from "@svc/wasm";
import { type Kernel, referenceKernel, selectKernel } from "../../src/index.ts";
import { loadWasmKernel, startWasmKernel } from "../../src/kernel/wasm/index.ts";
import { type Answers, answersOf, type Case, type InstanceAnswers, instanceAnswers } from "./answers.ts";
import { badBytes } from "./bad-bytes.ts";

/** An error, in the parts that JSON can carry. */
export interface Failure {
  readonly error: { readonly name: string; readonly code: unknown; readonly message: string };
}

export type Outcome = Answers | Failure;

/** The results of a runtime. */
export interface Runs {
  readonly runtime: string;
  /** `startWasmKernel()` */
  readonly inlined: Outcome;
  /** `loadWasmKernel()` */
  readonly inlinedLater: Outcome;
  /** `startWasmKernel(bytes)` */
  readonly fromFile: Outcome;
  /** `loadWasmKernel(bytes)` */
  readonly fromFileLater: Outcome;
  /** `selectKernel()` */
  readonly selected: Outcome;
  /** `selectKernel("wasm")` */
  readonly byName: Outcome;
  readonly reference: Outcome;
  /** `startWasmKernel` and `loadWasmKernel` with bytes that are no kernel, by their fault. */
  readonly bad: Readonly<Record<string, readonly [Outcome, Outcome]>>;
}

/** Starts every kernel and asks it everything. `bytes` are those of a kernel.wasm. */
export async function runAll(cases: readonly Case[], bytes: Uint8Array): Promise<Runs> {
  const ask = (start: () => Kernel | Promise<Kernel>) => outcome(async () => answersOf(await start(), cases));
  const bad: Record<string, [Outcome, Outcome]> = {};
  for (const [what, wrong] of Object.entries(badBytes(bytes)))
    bad[what] = [await ask(() => startWasmKernel(wrong)), await ask(() => loadWasmKernel(wrong))];
  return {
    runtime: runtimeName(),
    inlined: await ask(() => startWasmKernel()),
    inlinedLater: await ask(() => loadWasmKernel()),
    fromFile: await ask(() => startWasmKernel(bytes)),
    fromFileLater: await ask(() => loadWasmKernel(bytes)),
    selected: await ask(() => selectKernel()),
    byName: await ask(() => selectKernel("wasm")),
    reference: await ask(() => referenceKernel),
    bad,
  };
}

/** Runs in a worker with a kernel that another thread compiled; nothing can be compiled meanwhile. */
export async function runHandedOver(compiled: CompiledKernel): Promise<InstanceAnswers | Failure> {
  const namespace = (globalThis as unknown as { WebAssembly: Record<string, unknown> }).WebAssembly;
  const forbidden = () => {
    throw new Error("compiled again");
  };
  const { Module, compile } = namespace;
  Object.assign(namespace, { Module: forbidden, compile: forbidden });
  try {
    return await outcome(async () => instanceAnswers(new KernelInstance(compiled)));
  } finally {
    Object.assign(namespace, { Module, compile });
  }
}

async function outcome<Answer>(run: () => Promise<Answer>): Promise<Answer | Failure> {
  try {
    return await run();
  } catch (error) {
    const { name, code, message } = error as { name: string; code?: unknown; message: string };
    return { error: { name, code, message } };
  }
}

function runtimeName(): string {
  const { Deno, Bun, process, navigator } = globalThis as {
    Deno?: { version: { deno: string } };
    Bun?: { version: string };
    process?: { versions: { node?: string } };
    navigator?: { userAgent: string };
  };
  if (Deno !== undefined) return `deno ${Deno.version.deno}`;
  if (Bun !== undefined) return `bun ${Bun.version}`;
  if (process?.versions.node !== undefined) return `node ${process.versions.node}`;
  return navigator?.userAgent ?? "unknown";
}
