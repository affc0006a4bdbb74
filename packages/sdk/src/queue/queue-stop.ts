/** The reports of a queue about a failed attempt, and about a stop. */
import type { EventInput } from "@svc/core";
import { SvcError } from "../error.ts";
import { QueueError } from "./queue-error.ts";

/** Why a queue stopped, and at which events. */
export interface QueueStop {
  /** The service's code, or that of a QueueError. */
  readonly code: string;
  /** The HTTP status; null if the reason is no answer of the service. */
  readonly status: number | null;
  readonly message: string;
  /** Positions of the events at which it stopped: one event, if the service refused its content. */
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

/** Returns the code, status and message of a failure. */
export function named(error: unknown): {
  readonly code: string;
  readonly message: string;
  readonly status: number | null;
} {
  // Any other error comes from the spool, with the system's own codes.
  const isKnown = error instanceof SvcError || error instanceof QueueError;
  return {
    code: isKnown ? error.code : "spool_failed",
    message: error instanceof Error ? error.message : String(error),
    status: error instanceof SvcError ? error.status : null,
  };
}
