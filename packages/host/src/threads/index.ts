/** Threads beside the one that answers requests, and whose turn it is. */
export { FairQueue } from "./fair-queue.ts";
export { serveTasks } from "./task.ts";
export { TaskRefused, ThreadPool } from "./thread-pool.ts";
export { yieldToOthers } from "./yield-to-others.ts";
