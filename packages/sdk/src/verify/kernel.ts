/** The kernels, in a module of their own, so that a page loads them when it verifies. */
export { selectKernel } from "@svc/core";
