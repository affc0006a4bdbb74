"""A batch that is being sent: its request, its possible receipts, and the meaning of an error."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from typing import Any

from .._kernel.interface import JsonFault
from .._kernel.select import kernel_for
from ..client._errors import SvcError, VerificationError
from ._errors import QueueError
from ._spool import SpooledBatch, SpooledEvent

_DAY_MS = 86_400_000
# The share of the service's days for a key that counts as safe: its clock is not ours.
_SAFE_SHARE = 0.9
_IN_EVENTS = re.compile("/events/([0-9]{1,4})(?:/|$)").match
_CONTENT = (400, 413, 422)


class Batch:
    """Events that are sent together."""

    def __init__(self, kept: SpooledBatch, events: Sequence[SpooledEvent], maybe_recorded: bool) -> None:
        self.kept = kept
        # The events as they were given, and as they are sent.
        self.texts = [event.text for event in events]
        self.bytes = sum(map(len, self.texts))
        # When its first event was put into the spool.
        self.oldest_at = events[0].at if events else kept.made_at
        # Whether the service may have recorded it without telling us: an attempt had no clear answer, or another
        # process made it.
        self.maybe_recorded = maybe_recorded
        # Whether the last attempt was answered as recorded: a later failure says nothing about the recording.
        self.is_answered = False

    def events(self) -> tuple[Mapping[str, Any], ...]:
        """Return its events as values."""
        return tuple(map(_value_of, self.texts))

    def require_known_key(self, now: int, key_days: float) -> None:
        """Raise QueueError `batch_too_old` if the service may have forgotten the key of a batch that it may have."""
        # A clock that was set back since tells nothing of its age; one that was far ahead must not keep it young for
        # ever.
        if not self.maybe_recorded or abs(now - self.kept.made_at) <= key_days * _DAY_MS * _SAFE_SHARE:
            return
        made = datetime.fromtimestamp(self.kept.made_at / 1000, timezone.utc).isoformat(timespec="seconds")
        raise QueueError(
            "batch_too_old",
            f"A batch of {len(self.texts)} events was made on {made}, may have been recorded, and its Idempotency-Key "
            "may be forgotten by now. Look for its first event in the stream: discard the batch where it is there, and "
            "resume anew where it is not.",
        )

    def require_own(self, receipts: Sequence[Any], stream_id: str, done_seq_no: int) -> None:
        """Raise QueueError `answer_mismatch` unless the receipts of this batch follow each other in the stream.

        They are behind the last receipt before them: an answer to another request must not take events out.
        """
        first = receipts[0]["seq_no"] if receipts else 0
        if (
            len(receipts) == len(self.texts)
            and first > done_seq_no
            and all(
                one["stream_id"] == stream_id and one["seq_no"] == first + index for index, one in enumerate(receipts)
            )
        ):
            return
        message = "The answer has the receipts of another request. It is asked for again."
        raise QueueError("answer_mismatch", message)

    def note_failure(self, error: BaseException) -> bool:
        """Note a failed attempt. Returns whether its content was refused, so that no attempt can have recorded it."""
        is_new = isinstance(error, SvcError) and error.attempts == 1 and not self.maybe_recorded
        is_refused = not self.is_answered and (_is_content_refusal(error) or (is_new and _is_too_large_between(error)))
        self.maybe_recorded = not is_refused
        return is_refused

    def narrowed(self, error: BaseException) -> int | None:
        """Return how many of its events to send next after a refusal for its content; None if it is one event.

        Those before the event that the service names, or half of them.
        """
        count = len(self.texts)
        if count == 1:
            return None
        index = _named_index(error.detail) if isinstance(error, SvcError) else None
        if index is not None and index < count:
            return max(index, 1)
        return (count + 1) // 2


def is_transient(error: BaseException) -> bool:
    """Return whether the same batch may be sent again by itself, under the same key.

    Receipts that do not hold may belong to another request, mixed up on the way; a service that lies keeps lying, and
    the outbox counts that.
    """
    if isinstance(error, QueueError):
        return error.code == "answer_mismatch"
    if not isinstance(error, SvcError):
        return False
    # Evidence of two histories must not be lost behind a better answer.
    if isinstance(error, VerificationError):
        return error.code != "fork_detected"
    if _is_too_large_between(error):
        return False
    # A batch sent in its turn names no predecessor: this is the answer to a batch that was sent ahead.
    if error.code == "predecessor_missing":
        return True
    # An answer that is not the service's JSON comes from something else: a proxy, or a maintenance page.
    return error.retryable or error.status == 408 or error.code == "unexpected_answer"


def is_lie(error: BaseException) -> bool:
    """Return whether an answer, or its claim, belongs to another request."""
    return isinstance(error, VerificationError) or (isinstance(error, QueueError) and error.code == "answer_mismatch")


def _is_content_refusal(error: BaseException) -> bool:
    """Return whether the service refused a batch for its content.

    No attempt recorded it then: the same events would have been refused each time. Other errors do not tell, because a
    call may stand for several attempts, and the first ones may have had no answer.
    """
    return isinstance(error, SvcError) and error.names_key and error.status in _CONTENT


def _is_too_large_between(error: BaseException) -> bool:
    """Return whether something in front of the service refused the size. It does not know what was recorded."""
    return isinstance(error, SvcError) and error.status == 413 and error.code == "unexpected_answer"


def _named_index(detail: Mapping[str, Any]) -> int | None:
    """Return the index of the event that a refusal names: `index`, or `/events/<index>` in the path of a problem."""
    index = detail.get("index")
    if isinstance(index, int) and not isinstance(index, bool) and index >= 0:
        return index
    problems = detail.get("problems")
    if not isinstance(problems, list):
        return None
    paths = [str(problem.get("path")) for problem in problems if isinstance(problem, dict)]
    places = [int(match[1]) for match in map(_IN_EVENTS, paths) if match is not None]
    return min(places, default=None)


def _value_of(text: bytes) -> Any:
    try:
        return kernel_for("reference", len(text)).parse(text)
    except JsonFault:
        return json.loads(text)
