/** What is told after the commit of each new fork of a stream. */
import type { ForkEvidence } from "@svc/core";
import { topic } from "@svc/host/channel";

export const forked = topic<ForkEvidence>("forked");
