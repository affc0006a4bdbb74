/** What the thread that reads and the one that answers requests say to each other, and how errors cross from one to the other. */
import { ServiceError } from "@svc/host/errors";
import { StoreFull, StoreUnavailable, StoreUncertain } from "@svc/host/store";
import type { ReadResults } from "./reads.ts";

/** One step of work, which is answered by one message. */
export type Step =
  | { readonly read: string; readonly args: unknown }
  | { readonly open: number; readonly pieces: string; readonly args: unknown }
  | { readonly next: number }
  | { readonly end: number };

export type ToReader = { readonly step: Step } | { readonly signature: Uint8Array } | { readonly refused: Thrown };

/** What a step comes to: what was read, a piece, or null where there are no more. */
export type Value = ReadResults[keyof ReadResults] | Uint8Array | null;

export type FromReader =
  /** Answers a step. */
  | { readonly value: Value; readonly ms: number }
  | { readonly thrown: Thrown; readonly ms: number }
  /** Asks for the signature of a message by the current sealing key, which must be this one. */
  | { readonly sign: Uint8Array; readonly kid: string };

/** An error as it crosses. */
export type Thrown =
  | { readonly service: Pick<ServiceError, "code" | "message" | "details"> }
  | { readonly name: string; readonly message: string; readonly stack: string };

const STORE_FAULTS = { StoreUnavailable, StoreUncertain };

export function toThrown(error: unknown): Thrown {
  if (error instanceof ServiceError) {
    const { code, message, details } = error;
    return { service: { code, message, details } };
  }
  const { name, message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  return { name, message, stack };
}

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
