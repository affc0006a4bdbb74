/** The kernel with which the witness computes. */
import { selectKernel } from "@svc/core";

/** The kernel of this process: the compiled one, or the reference kernel if WebAssembly is not available. */
export const kernel = selectKernel();
