/** The refusal of a command or of a start, in words for the operator. */

/** A state of the folder, the key or the database in which the witness must not go on. */
export class WitnessError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "WitnessError";
  }
}
