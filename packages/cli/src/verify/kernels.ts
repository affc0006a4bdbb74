/** The kernels of a call. */
import type { Kernel } from "@svc/core";

/** The one kernel that computes, or both. */
export type Kernels = readonly [Kernel] | readonly [Kernel, Kernel];
