/** Answers in plain text, and the status codes of tlog-witness. */
import type { Outcome } from "../checkpoints/witness.ts";

/** An answer to a request. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly mediaType: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const TEXT = "text/plain; charset=utf-8";

/** Returns an answer in words; the newline is added. */
export function words(status: number, text: string, headers: Answer["headers"] = {}): Answer {
  return { status, text: `${text}\n`, mediaType: TEXT, headers };
}

/** Returns an answer of text that stands for itself. */
export function plain(text: string): Answer {
  return { status: 200, text, mediaType: TEXT };
}

/** Returns an answer of JSON text. */
export function jsonText(text: string): Answer {
  return { status: 200, text, mediaType: "application/json; charset=utf-8" };
}

/** Returns the answer to `add-checkpoint` (c2sp.org/tlog-witness). */
export function answerOf(outcome: Outcome): Answer {
  switch (outcome.kind) {
    case "cosigned":
      return plain(outcome.line);
    case "malformed":
      return words(400, `The request is malformed: ${outcome.fault}.`);
    case "unknown_origin":
      return words(404, "This witness does not know the origin. Ask its operator to add the key of the log.");
    case "not_signed":
      return words(403, "No signature of the checkpoint is by a key that this witness knows for its origin.");
    case "stale":
      return { status: 409, text: `${outcome.size}\n`, mediaType: "text/x.tlog.size" };
    case "contradicts":
      // Releases of the text up to 1.0.0 say 409, which makes a client send the same checkpoint again.
      return words(422, "The checkpoint has another root hash than the one that is recorded for its size.");
    case "unproven":
      return words(422, "The consistency proof does not lead from the checkpoint that was cosigned last to this one.");
  }
}
