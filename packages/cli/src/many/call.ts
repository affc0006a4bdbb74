/**
 * What the options of `svc verify` say, read in one place. They are those of every command that verifies a file, and `--jobs`.
 */
import { availableParallelism } from "node:os";
import type { Kernel, TrustPolicy, VerifyOptions } from "@svc/core";
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseOrdinal } from "../evidence-file/options.ts";
import { withTrustOptions } from "../evidence-file/trust-options.ts";
import { type KernelChoice, kernelOption, openBothKernels, openKernel } from "../kernel.ts";
import { COLOR_CHOICES, type ColorChoice } from "../render/color.ts";
import { readTrust, type TrustOptions } from "../trust.ts";

/** How many threads a call may ask for, and how many it gets at most where it does not ask. */
const MAX_JOBS = 64;
const USUAL_JOBS = 4;

/** What commander makes of the options. */
export interface ManyOptions extends TrustOptions, KernelChoice {
  readonly crossCheck?: true;
  readonly json?: true;
  readonly color: ColorChoice;
  readonly jobs?: number;
}

/** The one kernel that computes, or both. */
export type Kernels = readonly [Kernel] | readonly [Kernel, Kernel];

/** What core is told, without the kernel. Plain data. */
export type Settings = Omit<VerifyOptions, "kernel" | "trust"> & { readonly trust?: TrustPolicy };

/** Adds the options to a command. */
export function withManyOptions(command: Command): Command {
  return withTrustOptions(command)
    .option("--json", "print the report as JSON, whole; of many files a line for each")
    .addOption(kernelOption())
    .addOption(
      new Option("--cross-check", "verify with both kernels; a verdict only if they agree").conflicts("kernel"),
    )
    .addOption(
      new Option("--jobs <number>", "how many threads (default: one a core, at most 4; one for few files)").argParser(
        jobs,
      ),
    )
    .addOption(new Option("--color <when>", "when to colour").choices(COLOR_CHOICES).default("auto"));
}

/** Opens the kernels and reads whom to trust. */
export async function readCall(
  options: ManyOptions,
): Promise<{ readonly kernels: Kernels; readonly settings: Settings }> {
  const kernels: Kernels = options.crossCheck ? openBothKernels() : [openKernel(options.kernel)];
  const trust = await readTrust(kernels, options);
  return { kernels, settings: trust === undefined ? {} : { trust } };
}

/** How many threads are used where a call does not say: as many as there are cores, at most 4. */
export function usualJobs(): number {
  return Math.min(availableParallelism(), USUAL_JOBS);
}

function jobs(text: string, previous: number | undefined): number {
  if (previous !== undefined) throw new InvalidArgumentError("It is given twice.");
  const number = parseOrdinal(text);
  if (number === null || number > MAX_JOBS)
    throw new InvalidArgumentError(`Give a whole number from 1 to ${MAX_JOBS}.`);
  return number;
}
