/** Threads beside the one that answers, how errors cross between them, and queues in which owners take turns. */
export { FairQueue } from "./fair-queue.ts";
export { type Answers, type Calls, RemoteParts, ServedParts } from "./remote-parts.ts";
export { serveTasks } from "./task.ts";
export { TaskRefused, ThreadPool } from "./thread-pool.ts";
export { fromThrown, type Thrown, toThrown } from "./thrown.ts";
export { TimeShares } from "./time-shares.ts";
export { yieldToOthers } from "./yield-to-others.ts";
