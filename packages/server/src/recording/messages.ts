/** The messages between the thread that records and the one that answers. */
import type { Answers, Calls, Thrown } from "@svc/host/threads";
import type { Config } from "../settings/config.ts";

/** The options of the thread, as its `workerData`. */
export interface RecordingThreadOptions {
  readonly config: Config;
  /** Whether to make the second file of the high-water mark anew if it is gone. */
  readonly renewProgressFile?: boolean;
}

/** A message to the thread that records: calls of parts, the start of its jobs, or its end. */
export type ToRecording = Calls | { readonly order: "start" | "close" };

/** A message from it. */
export type FromRecording =
  | { readonly opened: { readonly origin: string; readonly isElsewhere: boolean } }
  /** The configuration names something that is not there, or not usable. */
  | { readonly mistakes: readonly string[] }
  /** It could not be opened, or closed. */
  | { readonly thrown: Thrown }
  | Answers
  /** A message on a topic, by its name. */
  | { readonly told: string; readonly message: unknown }
  | { readonly told: string; readonly error: Thrown }
  | { readonly closed: true };
