/** The form in which errors cross between threads: those of the service and of the store stay what they are. */
import { ServiceError } from "../errors.ts";
import { StoreFull, StoreUnavailable, StoreUncertain } from "../store/database.ts";

/** An error in the form in which it crosses. `code`: that of a failed system call; null for other errors. */
export type Thrown =
  | { readonly service: Pick<ServiceError, "code" | "message" | "details"> }
  | { readonly name: string; readonly message: string; readonly stack: string; readonly code: string | null };

const STORE_FAULTS = { StoreUnavailable, StoreUncertain };

/** Returns an error in the form in which it crosses. */
export function toThrown(error: unknown): Thrown {
  if (error instanceof ServiceError) {
    const { code, message, details } = error;
    return { service: { code, message, details } };
  }
  const thrown: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  const { name, message, stack = "", code } = thrown;
  return { name, message, stack, code: typeof code === "string" ? code : null };
}

/**
 * Returns an error as it was before it crossed. Errors of other classes become plain Error, with their message, their
 * stack and their code.
 */
export function fromThrown(thrown: Thrown): Error {
  if ("service" in thrown) {
    const { code, message, details } = thrown.service;
    return new ServiceError(code, message, details);
  }
  const { name, message, stack, code } = thrown;
  if (name === "StoreFull") return new StoreFull();
  const Fault = Object.hasOwn(STORE_FAULTS, name) ? STORE_FAULTS[name as keyof typeof STORE_FAULTS] : null;
  if (Fault === StoreUncertain) return new StoreUncertain();
  const error = Fault === null ? new Error(message) : new StoreUnavailable(message);
  error.stack = stack;
  return code === null ? error : Object.assign(error, { code });
}
