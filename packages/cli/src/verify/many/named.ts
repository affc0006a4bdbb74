/** What a call of `svc verify` names, one entry for each line of its table. */
import { NotEvidence, type NoVerdict } from "../../evidence-file/not-evidence.ts";
import type { Refusal } from "../../exit.ts";

/** A file to verify, standard input, or something that is named and cannot be read. */
export interface Named {
  /** The path as it is shown; `-` for standard input. */
  readonly file: string;
  /** The bytes, where they have been read already. */
  readonly bytes?: Uint8Array;
  /** Why nothing is verified under this name. */
  readonly refused?: Refused;
}

/** Why there is no verdict: what was wrong, and what to do; the texts of a `Refusal`, which may hold text from arguments. */
export interface Refused {
  readonly outcome: NoVerdict;
  readonly message: string;
  readonly action: string;
}

/** What a refusal says of the file that it is about. */
export function refusedBy(error: Refusal): Refused {
  const outcome = error instanceof NotEvidence ? error.outcome : "unreadable";
  return { outcome, message: error.message, action: error.action };
}
