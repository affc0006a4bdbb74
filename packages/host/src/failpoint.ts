/**
 * Failpoints: named places where what must survive being cut off can be cut off, between a hash and its answer, between
 * two files, between two rows. A process that tries out faults subscribes to the channel and ends itself there
 * (tools/chaos). Without a subscriber a failpoint is one look at a flag, and nothing in this package subscribes. There is
 * no list: tools find the names in the sources.
 */
import { channel } from "node:diagnostics_channel";

const failpoints = channel("svc.failpoint");

/** Tells that the process has come to a failpoint. `name`: what is being done, a colon, and what has just been done of it. */
export function failpoint(name: `${string}: ${string}`): void {
  if (failpoints.hasSubscribers) failpoints.publish(name);
}
