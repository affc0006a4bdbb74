/**
 * Where packages are made: on a separate thread (making-thread.ts), or on the calling thread for a database in memory,
 * which is open nowhere else.
 */
import type { Kernel } from "@svc/core";
import { evidenceKernel } from "../packs/evidence-kernel.ts";
import type { MissingEvidence } from "../packs/missing-evidence.ts";
import type { PayloadSource } from "../packs/read-records.ts";
import { makePackage } from "./make-package.ts";
import type { MadePackage, MakingCalls, PackageOrder } from "./making.ts";
import type { PackageFiles } from "./package-files.ts";

/** The interval at which a build checks whether it is still wanted, and has its lease. */
const PULSE_MS = 500;

/** The steps of one making that only its caller can take. A rejection ends the making, and is its outcome. */
export interface MakersCalls extends Omit<MakingCalls, "pulse"> {
  /** Is called again and again; rejects if the package is no longer wanted. */
  check(): Promise<void>;
}

/** A way to make packages. */
export interface PackageMaker {
  /**
   * Makes the package of an order, and resolves as `makePackage` does; nothing is written any more after that. Rejects
   * with MakingEnded once `stop` is aborted, with MakingLost, and otherwise as `makePackage` does.
   */
  make(order: PackageOrder, calls: MakersCalls, stop: AbortSignal): Promise<MadePackage | MissingEvidence>;
}

/** The package is no longer wanted, or the process is about to end. */
export class MakingEnded extends Error {}

/** The thread has ended before the package was made, such as for want of memory. Another build may succeed. */
export class MakingLost extends Error {}

/** Returns a pulse that calls `check` once in a while. */
export function pulseOf(check: () => Promise<void>): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < PULSE_MS) return;
    await check();
    last = performance.now();
  };
}

/** Makes packages on the calling thread. */
export class MakingHere implements PackageMaker {
  readonly #source: PayloadSource;
  readonly #kernel: Kernel;
  readonly #files: PackageFiles;

  constructor(source: PayloadSource, kernel: Kernel, files: PackageFiles) {
    this.#source = source;
    this.#kernel = evidenceKernel(kernel);
    this.#files = files;
  }

  make(
    order: PackageOrder,
    { check, ...calls }: MakersCalls,
    stop: AbortSignal,
  ): Promise<MadePackage | MissingEvidence> {
    const checked = pulseOf(check);
    const pulse = async () => {
      if (stop.aborted) throw new MakingEnded();
      await checked();
    };
    const needs = { ...this.#source, kernel: this.#kernel, files: this.#files };
    return makePackage(needs, order, { ...calls, pulse });
  }
}
