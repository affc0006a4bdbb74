/**
 * Errors of families that are not the thin server's: they are no rows of its table, nor of the SDKs that are made from
 * that, and their families say the same of them.
 */
import { ERRORS, type ErrorCode } from "./errors.ts";

/** An error with what its table says of it. */
export interface OwnError<Code extends string = string> {
  readonly code: Code;
  /** The HTTP status. */
  readonly status: number;
  readonly meaning: string;
  /** The next step of a caller. */
  readonly action: string;
}

/** Returns errors by their codes. Throws TypeError for a code of the thin server. */
export function ownErrors<const Code extends string>(
  table: Readonly<Record<Code, Omit<OwnError, "code">>>,
): { readonly [Name in Code]: OwnError<Name> } {
  const rows = Object.entries<Omit<OwnError, "code">>(table).map(([code, row]) => [code, { code, ...row }] as const);
  const taken = rows.find(([code]) => Object.hasOwn(ERRORS, code));
  if (taken !== undefined) throw new TypeError(`${taken[0]} is an error of the thin server`);
  return Object.fromEntries(rows) as { readonly [Name in Code]: OwnError<Name> };
}

/** Returns what the tables say of an error. */
export function errorRow(error: ErrorCode | OwnError): OwnError {
  return typeof error === "string" ? { code: error, ...ERRORS[error] } : error;
}
