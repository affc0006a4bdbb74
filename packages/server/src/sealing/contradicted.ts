/**
 * The message after the managed witness has refused a checkpoint that is sealed but does not belong to the tree that it
 * has cosigned.
 */
import type { Checkpoint } from "@svc/core";
import { topic } from "@svc/host/channel";

/** The two sides of a contradiction. */
export interface Contradiction {
  /** The last note that the witness has cosigned. */
  readonly signedNote: string;
  readonly checkpoint: Checkpoint;
}

/** The topic of contradictions. */
export const contradicted = topic<Contradiction>("contradicted");
