"""The errors of an append queue and its spools."""

from __future__ import annotations

from typing import Literal

from .. import _errors

QueueErrorCode = Literal[
    # The queue stopped at a batch, and the program has to decide. The cause is the reason.
    "queue_stopped",
    "queue_closed",
    # The program discarded the event after the service had refused it.
    "event_discarded",
    # The value is no event: it is no object.
    "not_an_event",
    # An event with this key was put into the spool before. It waits there, or has left: there is nothing to do.
    "key_taken",
    # The receipts are not those of the batch.
    "answer_mismatch",
    # `on_receipts` raised: the batch was recorded, and `on_receipts` gets its receipts again when the queue continues.
    "receipts_not_taken",
    # The service may have forgotten the batch's Idempotency-Key, and nobody knows whether it was recorded.
    "batch_too_old",
    "spool_in_use",
    # The spool holds events of another stream.
    "spool_foreign",
    # The spool cannot be read back; the message names the place.
    "spool_corrupt",
    # The medium of the spool failed: a full disk, for example.
    "spool_failed",
]


class QueueError(_errors.SvcError):
    """A failure of an append queue or its spool. `__cause__` is the underlying error, if there is one."""

    def __init__(self, code: QueueErrorCode, message: str, cause: BaseException | None = None) -> None:
        super().__init__(code, message)
        self.__cause__ = cause
