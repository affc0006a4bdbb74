/** The names in a call of `svc verify`, one entry for each line of its table. */
import { NotEvidence, type NoVerdict } from "../../evidence-file/not-evidence.ts";
import type { Refusal } from "../../exit.ts";

/** A file to verify, standard input, or a name that cannot be read. */
export interface Named {
  /** The path that is shown; `-` for standard input. */
  readonly file: string;
  /** The bytes, if they have already been read. */
  readonly bytes?: Uint8Array;
  /** The reason why nothing is verified under this name. */
  readonly refused?: Refused;
}

/**
 * The reason why there is no verdict: the fault, and the next step; the texts of a `Refusal`, which may hold text from
 * arguments.
 */
export interface Refused {
  readonly outcome: NoVerdict;
  readonly message: string;
  readonly action: string;
}

/** Returns the words of a refusal about its file. */
export function refusedBy(error: Refusal): Refused {
  const outcome = error instanceof NotEvidence ? error.outcome : "unreadable";
  return { outcome, message: error.message, action: error.action };
}
