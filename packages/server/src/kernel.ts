/**
 * The kernel with which the server computes: the compiled one, or the reference kernel if WebAssembly is not available.
 */
import { selectKernel } from "@svc/core";

/** The kernel of this process. */
export const kernel = selectKernel();
