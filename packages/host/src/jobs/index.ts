/** The work beside the requests: loops under a lease, and the outbox. */
export { BACK_OFF, retryMs, type Schedule } from "./backoff.ts";
export { reachMs, type Sending, sendDue } from "./claims.ts";
export { type JobContext, Lease, LeaseLost } from "./lease.ts";
export { type LeasedJob, LeasedLoop } from "./leased-loop.ts";
export { anyMessageDue, dispatchDue, type OutboxDispatch } from "./outbox.ts";
export {
  enqueue,
  enqueueNewest,
  markDone,
  markFailed,
  type NewestMessages,
  type OutboxMessage,
} from "./outbox-store.ts";
