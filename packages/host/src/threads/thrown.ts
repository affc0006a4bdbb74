/** The form in which errors cross between threads: those of the service and of the store stay what they are. */
import { ServiceError } from "../errors.ts";
import { AnswerLost, StoreFull, StoreUnavailable, StoreUncertain, WriteConflict } from "../store/database.ts";
import { StatementRefused } from "../store/postgres-fault.ts";

/** Facts about the machine: the code and the name of a failed system call, and the result code of SQLite. */
type Facts = Readonly<Partial<Record<"code" | "syscall" | "errcode", string | number>>>;

/** An error in the form in which it crosses, with its causes. */
export type Thrown =
  | { readonly service: Pick<ServiceError, "error" | "message" | "details"> }
  | {
      readonly name: string;
      readonly message: string;
      readonly stack: string;
      readonly facts: Facts;
      readonly cause: Thrown | null;
    };

const FACTS = ["code", "syscall", "errcode"] as const;
const STORE_FAULTS = { AnswerLost, StoreFull, StoreUncertain };

/** Returns an error in the form in which it crosses. */
export function toThrown(error: unknown): Thrown {
  if (error instanceof ServiceError) {
    const { error: row, message, details } = error;
    return { service: { error: row, message, details } };
  }
  const thrown: Error & Facts = error instanceof Error ? error : new Error(String(error));
  const { name, message, stack = "", cause } = thrown;
  const known = FACTS.filter((fact) => ["string", "number"].includes(typeof thrown[fact]));
  const facts: Facts = Object.fromEntries(known.map((fact) => [fact, thrown[fact]]));
  return { name, message, stack, facts, cause: cause instanceof Error ? toThrown(cause) : null };
}

/**
 * Returns an error as it was before it crossed. Errors of other classes become plain Error, with their message, their
 * stack, their facts and their causes.
 */
export function fromThrown(thrown: Thrown): Error {
  if ("service" in thrown) {
    const { error, message, details } = thrown.service;
    return new ServiceError(error, message, details);
  }
  const { name, message, stack, facts } = thrown;
  const options = thrown.cause === null ? {} : { cause: fromThrown(thrown.cause) };
  if (Object.hasOwn(STORE_FAULTS, name)) return new STORE_FAULTS[name as keyof typeof STORE_FAULTS](options);
  return Object.assign(ofClass(thrown, options), { message, stack, ...facts });
}

function ofClass(
  { name, message, facts }: { readonly name: string; readonly message: string; readonly facts: Facts },
  options: ErrorOptions,
): Error {
  if (name === "StatementRefused") return new StatementRefused(String(facts.code), message);
  if (name === "StoreUnavailable") return new StoreUnavailable(message, options);
  if (name === "WriteConflict") return new WriteConflict("what it needs");
  return new Error(message, options);
}
