/**
 * Which kernel computes: the options that say so, and the refusal where it cannot be had. A kernel that was asked for by name is never
 * replaced by another.
 */
import process from "node:process";
import { type Kernel, type KernelName, referenceKernel } from "@svc/core";
import { Option } from "commander";
import { EXIT, Refusal } from "./exit.ts";
import { startKernel } from "./start-kernel.ts";

const KERNEL_NAMES: readonly KernelName[] = ["wasm", "reference"];

/** What the command line says of kernels. */
export interface KernelChoice {
  readonly kernel?: KernelName;
}

/** `--kernel <name>`. */
export function kernelOption(): Option {
  return new Option("--kernel <name>", "what computes: compiled code, or plain TypeScript").choices(KERNEL_NAMES);
}

/** The kernel of that name; without one the compiled kernel, or the reference where this runtime has no WebAssembly, which is said. */
export function openKernel(name?: KernelName): Kernel {
  const kernel = available(() => startKernel(name), "Leave --kernel out, or give --kernel reference.");
  if (name === undefined && kernel.name === "reference")
    process.stderr.write(
      "svc: This runtime has no WebAssembly, so the reference kernel computes: as exactly, and slower.\n",
    );
  return kernel;
}

/** Both kernels, the compiled one first. */
export function openBothKernels(): readonly [Kernel, Kernel] {
  const action =
    "Run it where WebAssembly is to be had, or without --cross-check: one kernel alone cross-checks nothing.";
  return available(() => [startKernel("wasm"), referenceKernel], action);
}

function available<Value>(open: () => Value, action: string): Value {
  try {
    return open();
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === "kernel_damaged")
      throw new Refusal(
        EXIT.internal,
        (error as Error).message,
        "This copy of svc is damaged. Get it again, and check it.",
      );
    if (code !== "kernel_unavailable") throw error;
    throw new Refusal(EXIT.internal, `The compiled kernel cannot be had here: ${(error as Error).message}`, action);
  }
}
