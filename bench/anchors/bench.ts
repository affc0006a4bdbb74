/** The common parts of the groups of `bench anchors`. */
import type { Lifetime } from "@svc/testkit/lifetime";

/** The common inputs of all groups. */
export interface AnchorBench {
  readonly quick: boolean;
  readonly rounds: number;
  readonly folder: string;
  /** Its work is done at the end. */
  readonly lifetime: Lifetime;
}
