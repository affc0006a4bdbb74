/** The errors of an append queue and its spools. */

/** Why an append queue or its spool stopped, or refuses. */
export type QueueErrorCode =
  /** The queue stopped at a batch, and the program has to decide. `cause` is the reason. */
  | "queue_stopped"
  /** The queue was closed. */
  | "queue_closed"
  /** The program discarded the event after the service had refused it. */
  | "event_discarded"
  /** The value is no event: it is no object. */
  | "not_an_event"
  /** An event with this key was put into the spool before. It waits there, or has left: there is nothing to do. */
  | "key_taken"
  /** The receipts are not those of the batch. */
  | "answer_mismatch"
  /** `onReceipts` threw: the batch was recorded, and `onReceipts` gets its receipts again when the queue continues. */
  | "receipts_not_taken"
  /** The service may have forgotten the batch's Idempotency-Key, and nobody knows whether it was recorded. */
  | "batch_too_old"
  | "spool_in_use"
  /** The spool holds events of another stream. */
  | "spool_foreign"
  /** The spool cannot be read back; the message names the place. */
  | "spool_corrupt"
  /** The medium of the spool failed: a full disk, for example. */
  | "spool_failed";

/** A failure of an append queue or its spool. `cause` is the underlying error, if there is one. */
export class QueueError extends Error {
  override readonly name = "QueueError";
  readonly code: QueueErrorCode;

  constructor(code: QueueErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
