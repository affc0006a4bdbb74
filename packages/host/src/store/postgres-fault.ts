/** The meaning of PostgreSQL's failures. Errors of the driver are never passed on: they can quote rows. */
import { StoreFull, StoreUnavailable, WriteConflict } from "./database.ts";

/** Codes of transactions that failed only because others ran at the same time. */
const CONFLICTS: readonly string[] = ["40001", "40P01"];
const DISK_FULL = "53100";
const NO_CONNECTION = "53300";
/**
 * Codes of a server that cannot do the work now: no connection, none left, shutting down, only reading, out of time, a
 * lock that was not to be had, a fault of its machine, a user or a database that is gone.
 */
const UNAVAILABLE = /^(?:08...|53...|57P0.|57014|25006|25P0[34]|55P03|55006|58...|28...|3D000)$/;
/** Codes of a user that has no right to a table, or sees no such table: it or its search path was changed. */
const OUT_OF_REACH = /^(?:42501|3F000|42P01)$/;
const STATE = /^[0-9A-Z]{5}$/;

/** The server has no room for one more connection: it lives, and answers on those that are open. */
export class NoConnectionLeft extends StoreUnavailable {}

/** A statement that the server refused, by its code; without the rows that its own error may quote. */
export class StatementRefused extends Error {
  /** SQLSTATE, five characters. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(`PostgreSQL refused a statement (${code}): ${message}`);
    this.name = "StatementRefused";
    this.code = code;
  }
}

/** Returns whether a statement was refused because a table is out of the user's reach: all of ours are there. */
export function isOutOfReach(error: unknown): boolean {
  return error instanceof StatementRefused && OUT_OF_REACH.test(error.code);
}

/** An error as the driver throws it; only those of the server have a severity. */
interface DriverError {
  readonly code?: unknown;
  readonly severity?: unknown;
  readonly message?: unknown;
}

/** Returns the code of an error of the server, SQLSTATE; null for an error of the connection. */
function stateOf({ code, severity }: DriverError): string | null {
  return typeof severity === "string" && typeof code === "string" && STATE.test(code) ? code : null;
}

/** Returns whether the connection is of no more use after an error that the driver has thrown. */
export function endsConnection(error: unknown): boolean {
  const { severity } = error as DriverError;
  return stateOf(error as DriverError) === null || severity === "FATAL" || severity === "PANIC";
}

/** Returns the error that an error of the driver means to a caller. */
export function serverFault(error: unknown): Error {
  const { message } = error as DriverError;
  const state = stateOf(error as DriverError);
  if (state === null) return new StoreUnavailable(`the database cannot be reached: ${message}`);
  if (state === DISK_FULL) return new StoreFull();
  if (CONFLICTS.includes(state)) return new WriteConflict(`the rows of this transaction (${state})`);
  if (state === NO_CONNECTION) return new NoConnectionLeft(`the database cannot be reached (${state}): ${message}`);
  if (UNAVAILABLE.test(state)) return new StoreUnavailable(`the database cannot be reached (${state}): ${message}`);
  return new StatementRefused(state, `${message}`);
}

/** Throws the error that an error of the driver means. */
export function throwFault(error: unknown): never {
  throw serverFault(error);
}
