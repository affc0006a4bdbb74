/** Append queues: events that are recorded later, in order, and that outlive the process in their spool. */
export type { AppendQueue, AppendQueueOptions, Waiting } from "./append-queue.ts";
export { MemorySpool } from "./memory-spool.ts";
export { QueueError, type QueueErrorCode } from "./queue-error.ts";
export type { LastError, QueueStop } from "./queue-stop.ts";
export type { QueuedEvent, QueuedReceipt } from "./receipts-due.ts";
export {
  batchesBehind,
  batchesWith,
  countWithin,
  KEPT_KEYS,
  keysWith,
  type ReadLimits,
  type Spool,
  type SpooledBatch,
  type SpooledEvent,
  type SpoolState,
} from "./spool.ts";
export type { AppendLaterOptions } from "./supplied-keys.ts";
