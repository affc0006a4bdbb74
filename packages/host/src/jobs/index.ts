/** The work beside the requests: loops under a lease, and the outbox. */
export { type JobContext, Lease, LeaseLost } from "./lease.ts";
export { type LeasedJob, LeasedLoop } from "./leased-loop.ts";
export { anyMessageDue, dispatchDue, type OutboxDispatch } from "./outbox.ts";
export { enqueue, markDone, markFailed, type OutboxMessage } from "./outbox-store.ts";
