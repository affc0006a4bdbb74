/** The kernels, in a separate module, so that a page loads them when it verifies. */
export { selectKernel } from "@svc/core";
