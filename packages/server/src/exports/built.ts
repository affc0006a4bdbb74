/** What families tell of exports. */
import { topic } from "@svc/host/channel";

/** What a build came to. */
export interface BuildOutcome {
  readonly isReady: boolean;
  readonly sizeBytes: number;
  readonly seconds: number;
}

/** Told of each build of an export that came to an end. */
export const built = topic<BuildOutcome>("built");
/** Told where there may be a package to build, or one to take away. */
export const exportsChanged = topic<null>("exports changed");
