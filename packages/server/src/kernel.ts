/** Which kernel the server computes with: the compiled one, or the reference where WebAssembly is not to be had. */
import { selectKernel } from "@svc/core";

export const kernel = selectKernel();
