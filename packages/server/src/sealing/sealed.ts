/** What is told after the commit of each cosignature of the managed witness: the proofs of all events up to there are whole. */
import { topic } from "@svc/host/channel";

/** The id of the checkpoint that was cosigned. */
export const sealed = topic<string>("sealed");
