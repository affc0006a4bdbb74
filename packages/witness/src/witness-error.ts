/** The refusal of a command or of a start, in words for the operator. */

/** A state of the folder, the key or the database in which the witness must not go on. */
export class WitnessError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "WitnessError";
  }
}

/** Returns a fault of SQLite as a refusal that names the file; every other error is returned unchanged. */
export function openingFault(file: string, error: unknown): unknown {
  // The store wraps SQLite's error, whose words and code say more.
  const { cause = error } = error as { readonly cause?: unknown };
  const { errcode, message } = cause as { readonly errcode?: unknown; readonly message?: string };
  return typeof errcode === "number" ? new WitnessError(`${file} cannot be used: ${message}`, { cause }) : error;
}
