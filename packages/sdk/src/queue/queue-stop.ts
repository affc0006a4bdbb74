/** What a queue says of an attempt that failed, and of standing still. */
import type { EventInput } from "@svc/core";
import { SvcError } from "../error.ts";
import { QueueError } from "./queue-error.ts";

/** Why a queue stopped, and at what. */
export interface QueueStop {
  /** The service's code, or that of a QueueError. */
  readonly code: string;
  /** The HTTP status; null where no answer of the service is the reason. */
  readonly status: number | null;
  readonly message: string;
  /** Positions of the events that it stopped at: one, where the service refused what is in it. */
  readonly first: number;
  readonly last: number;
  readonly events: readonly EventInput[];
  /** Whether an earlier attempt may have recorded them all the same. */
  readonly maybeRecorded: boolean;
  readonly cause: unknown;
}

/** Why the last attempt failed. */
export interface LastError {
  readonly code: string;
  readonly message: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** What a failure is called. */
export function named(error: unknown): {
  readonly code: string;
  readonly message: string;
  readonly status: number | null;
} {
  // Whatever else is thrown comes from the spool, with the system's own codes.
  const isKnown = error instanceof SvcError || error instanceof QueueError;
  return {
    code: isKnown ? error.code : "spool_failed",
    message: error instanceof Error ? error.message : String(error),
    status: error instanceof SvcError ? error.status : null,
  };
}
