/** The messages between the reading thread and the answering one, and the form in which errors cross between them. */
import { ServiceError } from "@svc/host/errors";
import { StoreFull, StoreUnavailable, StoreUncertain } from "@svc/host/store";
import type { ReadResults } from "./reads.ts";

/** One step of work; one message answers it. */
export type Step =
  | { readonly read: string; readonly args: unknown }
  | { readonly open: number; readonly pieces: string; readonly args: unknown }
  | { readonly next: number }
  | { readonly end: number };

/** A message to the reading thread: a step, or the reply to a request for a signature. */
export type ToReader = { readonly step: Step } | { readonly signature: Uint8Array } | { readonly refused: Thrown };

/** The result of a step: a value, a piece, or null after the last piece. */
export type Value = ReadResults[keyof ReadResults] | Uint8Array | null;

/** A message from the reading thread. */
export type FromReader =
  /** The answer to a step. */
  | { readonly value: Value; readonly ms: number }
  | { readonly thrown: Thrown; readonly ms: number }
  /** A request for the signature of a message by the current sealing key, whose kid must be this one. */
  | { readonly sign: Uint8Array; readonly kid: string };

/** An error in the form in which it crosses. */
export type Thrown =
  | { readonly service: Pick<ServiceError, "code" | "message" | "details"> }
  | { readonly name: string; readonly message: string; readonly stack: string };

const STORE_FAULTS = { StoreUnavailable, StoreUncertain };

/** Returns an error in the form in which it crosses. */
export function toThrown(error: unknown): Thrown {
  if (error instanceof ServiceError) {
    const { code, message, details } = error;
    return { service: { code, message, details } };
  }
  const { name, message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  return { name, message, stack };
}

/**
 * Returns an error as it was before it crossed. Errors of other classes become plain Error, with their message and
 * stack.
 */
export function fromThrown(thrown: Thrown): Error {
  if ("service" in thrown) {
    const { code, message, details } = thrown.service;
    return new ServiceError(code, message, details);
  }
  const { name, message, stack } = thrown;
  if (name === "StoreFull") return new StoreFull();
  const Fault = Object.hasOwn(STORE_FAULTS, name) ? STORE_FAULTS[name as keyof typeof STORE_FAULTS] : null;
  if (Fault === StoreUncertain) return new StoreUncertain();
  const error = Fault === null ? new Error(message) : new StoreUnavailable(message);
  error.stack = stack;
  return error;
}
