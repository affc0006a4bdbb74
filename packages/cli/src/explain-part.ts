/** The short calls of `svc explain`: the entry of `svc-explain.mjs`, which `svc-start.mjs` loads for calls of it. */
export { answersExplain } from "./explain/short-call.ts";
