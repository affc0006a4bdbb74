/** The messages about exports between families. */
import { topic } from "@svc/host/channel";

/** The outcome of a build. */
export interface BuildOutcome {
  readonly isReady: boolean;
  readonly sizeBytes: number;
  readonly seconds: number;
}

/** The topic of builds that ended with a package or a failure. */
export const built = topic<BuildOutcome>("built");
/** The topic of changes after which there may be a package to build or to remove. */
export const exportsChanged = topic<null>("exports changed");
