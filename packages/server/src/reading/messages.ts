/** The messages between the reading thread and the answering one. */
import type { Thrown } from "@svc/host/threads";

/** One step of work; one message answers it. */
export type Step =
  | { readonly read: string; readonly args: unknown }
  | { readonly open: number; readonly pieces: string; readonly args: unknown }
  | { readonly next: number }
  | { readonly end: number };

/** A message to the reading thread: a step, or the reply to a request for a signature. */
export type ToReader = { readonly step: Step } | { readonly signature: Uint8Array } | { readonly refused: Thrown };

/** The result of a step: the plain value of a read, a piece, or null after the last piece. */
export type Value = unknown;

/** A message from the reading thread. */
export type FromReader =
  /** The answer to a step. */
  | { readonly value: Value; readonly ms: number }
  | { readonly thrown: Thrown; readonly ms: number }
  /** A request for the signature of a message by the current sealing key, whose kid must be this one. */
  | { readonly sign: Uint8Array; readonly kid: string };
