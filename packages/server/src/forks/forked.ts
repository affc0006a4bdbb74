/** The message after the commit of each new fork of a stream. */
import type { ForkEvidence } from "@svc/core";
import { topic } from "@svc/host/channel";

/** The topic of new forks. */
export const forked = topic<ForkEvidence>("forked");
