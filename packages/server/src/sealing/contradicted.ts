/** What is told where the managed witness refuses a checkpoint that is sealed, and not of the tree that it has cosigned. */
import type { Checkpoint } from "@svc/core";
import { topic } from "@svc/host/channel";

export interface Contradiction {
  /** The last note that the witness has cosigned. */
  readonly signedNote: string;
  readonly checkpoint: Checkpoint;
}

export const contradicted = topic<Contradiction>("contradicted");
