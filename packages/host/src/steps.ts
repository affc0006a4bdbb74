/**
 * Named steps of what must survive being cut off: between a hash and its answer, between two files, between two rows. A process that tries
 * out faults subscribes to the channel and ends itself there (tools/chaos); without a subscriber a step is one look at a flag, and nothing
 * in this package subscribes. Needs no list: whoever tries them all finds the names in the sources.
 */
import { channel } from "node:diagnostics_channel";

const steps = channel("svc-server.step");

/** Says that the process has come to a step. `name`: what is being done, a colon, and what has just been done of it. */
export function reached(name: `${string}: ${string}`): void {
  if (steps.hasSubscribers) steps.publish(name);
}
