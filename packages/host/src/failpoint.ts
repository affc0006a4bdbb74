/**
 * Failpoints: named places at which a process may be cut off and must recover, such as between a hash and its answer,
 * between two files, or between two rows. A process that tries out faults subscribes to the channel and ends itself
 * there (tools/chaos). Without a subscriber a failpoint is one look at a flag, and nothing in this package subscribes.
 * There is no list: tools find the names in the sources.
 */
import { channel } from "node:diagnostics_channel";

const failpoints = channel("svc.failpoint");

/**
 * Publishes that the process has come to a failpoint. `name`: the work, a colon, and the step that has just been done.
 */
export function failpoint(name: `${string}: ${string}`): void {
  if (failpoints.hasSubscribers) failpoints.publish(name);
}
