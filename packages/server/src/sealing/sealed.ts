/**
 * The message after the commit of each cosignature of the managed witness: the proofs of all events under that
 * checkpoint are complete.
 */
import { topic } from "@svc/host/channel";

/** The id of the cosigned checkpoint. */
export const sealed = topic<string>("sealed");
