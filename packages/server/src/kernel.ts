/** Which kernel the server computes with: the one line to change for another. */
export { referenceKernel as kernel } from "@svc/core";
