/** What a call of `svc verify` names, one entry for each line of its table. */

/** A file to verify, standard input, or something that is named and cannot be read. */
export interface Named {
  /** The path as it is shown; `-` for standard input. */
  readonly file: string;
  /** The bytes, where they have been read already. */
  readonly bytes?: Uint8Array;
  /** Why nothing is verified under this name. */
  readonly refused?: Refused;
}

/** What was wrong, and what to do; the texts of a `Refusal`, which may hold text from arguments. */
export interface Refused {
  readonly message: string;
  readonly action: string;
}
