/**
 * The kernel of a call: the options that name it, and the refusal if it cannot start. A kernel that was named is never
 * replaced by another.
 */
import process from "node:process";
import { type Kernel, type KernelName, referenceKernel } from "@svc/core";
import { Option } from "commander";
import { EXIT, Refusal } from "./exit.ts";
import { startKernel } from "./start-kernel.ts";

const KERNEL_NAMES: readonly KernelName[] = ["wasm", "reference"];

/** The part of the command line that is about kernels. */
export interface KernelChoice {
  readonly kernel?: KernelName;
}

/** `--kernel <name>`. */
export function kernelOption(): Option {
  return new Option("--kernel <name>", "what computes: compiled code, or plain TypeScript").choices(KERNEL_NAMES);
}

/**
 * Returns the kernel of that name. Without a name, the compiled kernel, or the reference kernel if this runtime has no
 * WebAssembly, with a remark.
 */
export function openKernel(name?: KernelName): Kernel {
  const kernel = available(() => startKernel(name), "Leave --kernel out, or give --kernel reference.");
  if (name === undefined && kernel.name === "reference")
    process.stderr.write(
      "svc: This runtime has no WebAssembly, so the reference kernel computes: as exactly, and slower.\n",
    );
  return kernel;
}

/** Returns both kernels, the compiled one first. */
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
