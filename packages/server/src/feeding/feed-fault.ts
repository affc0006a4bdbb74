/** Why a witness has not cosigned, as proof-state, metrics and doctor name it. */

/** The causes. */
export const FEED_FAULTS = {
  unreachable: "no connection to it came about",
  timed_out: "it did not answer in time",
  redirected: "it answered with a redirect",
  answer_too_large: "its answer is larger than any cosignatures are",
  answer_malformed: "its answer is not what the protocol says",
  request_refused: "it takes the request for malformed",
  key_unknown: "it does not know the key that signs this origin",
  origin_unknown: "it does not watch this origin",
  history_contradicted: "it has cosigned another history of this origin",
  witness_ahead: "it has cosigned more of this origin than this service has",
  size_unknown: "it has cosigned a size that no checkpoint here has",
  size_unsettled: "it names another size each time",
  witness_busy: "it asks for fewer requests, or is not in service",
  cosignature_missing: "its answer has no cosignature by its key",
  cosignature_of_other_key: "its answer is signed by another key than the configured one",
  cosignature_invalid: "its cosignature does not hold for the note",
  cosignature_time_wrong: "its cosignature has a time at which it does not count",
} as const;
export type FeedFaultCode = keyof typeof FEED_FAULTS;

/** A note that a witness has not cosigned. The message begins with the code, as it is kept in the outbox. */
export class FeedFault extends Error {
  readonly code: FeedFaultCode;

  constructor(code: FeedFaultCode, message: string, options?: ErrorOptions) {
    super(`${code}: ${message}`, options);
    this.name = "FeedFault";
    this.code = code;
  }
}

/** Returns the code and the words of an error as the outbox keeps it; the code is null for a fault on this side. */
export function faultIn(lastError: string): { readonly code: FeedFaultCode | null; readonly message: string } {
  const [, code = "", message = ""] = /^([a-z_]+): (.*)$/s.exec(lastError) ?? [];
  return code in FEED_FAULTS ? { code: code as FeedFaultCode, message } : { code: null, message: lastError };
}
