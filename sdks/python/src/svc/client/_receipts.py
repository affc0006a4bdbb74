"""Every receipt that leaves the client holds: against itself, the pinned keys, what was sent, and what was seen.

The protocol's own verifier judges each run of records; this module compares it with what was sent and seen.
It is longer than 300 lines, because what makes a receipt hold is read best in one place.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple
from urllib.parse import quote
from uuid import uuid4

from .._report.model import Report
from ._check import Untruth, examine_run, fork_of, mismatch, signers_of
from ._errors import SvcError, VerificationError
from ._known import KnownEvents, KnownStreams, Record
from ._recorded_batch import read_recorded
from ._settings import Settings
from ._steps import Flow
from ._transport import Transport, parse_answer

_MAX_GAP_EVENTS = 1000
_MAX_PAGE_ITEMS = 500
# Each costs a signature check with every receipt: thousands would stop a program.
_MAX_ENDORSEMENTS = 256

Verdict = Literal["verified", "untrusted"]


class Recording(NamedTuple):
    """Events that are sent, and how to read the answer."""

    path: str
    # The body.
    text: str
    # The stream of the events; None if the service chooses it.
    stream_id: str | None
    # The stream that the events will probably go to.
    likely_stream_id: str | None
    # The events of the body, parsed from the text that was sent.
    events: Callable[[Any], list[Any]]
    # The receipts of the answer.
    receipts: Callable[[Any], Any]
    # Whether the body is a batch of events of the stream.
    is_batch: bool = False


class Expected(NamedTuple):
    """The facts with which a run of records must agree."""

    # The stream of the run; any stream if it is missing.
    stream_id: str | None = None
    # The event behind which its events must be, if they are of that stream; None if old ones are as good.
    after: tuple[str, int] | None = None
    # The events that were sent, one for each record.
    sent: Sequence[Any] = ()
    # The record before the run.
    before: Record | None = None
    # Whether the run continues the stream: gaps before it are closed, and it is remembered.
    goes_on: bool = False


class Receipts:
    """The receipts of one client, and what it knows of its streams."""

    def __init__(self, transport: Transport, settings: Settings) -> None:
        self._transport = transport
        self._gaps = settings.gaps
        self._trust = None if settings.trust is None else signers_of(settings.trust)
        # What is known is read and written under this lock, and nothing is asked for meanwhile.
        self._lock = threading.RLock()
        self._known = KnownStreams()
        # The endorsements that a good receipt needed.
        self._endorsements: Sequence[Any] = ()

    @property
    def verdict(self) -> Verdict:
        """The verdict of the receipts that are returned."""
        return "untrusted" if self._trust is None else "verified"

    def head_of(self, stream_id: str) -> int | None:
        """Return the number of the newest event of a stream that was seen; 0 for an empty one, None for nothing."""
        with self._lock:
            return self._known.of(stream_id).head

    def note(self, stream_id: str, records: Sequence[Record]) -> None:
        """Take records for seen."""
        with self._lock:
            self._known.of(stream_id).note(records)

    def is_new(self, stream_id: str) -> None:
        """Note that a stream has just been made."""
        with self._lock:
            self._known.of(stream_id).is_new()

    def record(self, recording: Recording, key: str | None) -> Flow[list[Record]]:
        """Send events, and return their receipts, which hold."""
        read = yield from self.send(recording, key)
        return (yield from read())

    def send(self, recording: Recording, key: str | None) -> Flow[Callable[[], Flow[list[Record]]]]:
        """Send events. Returns when the answer has come a flow that checks its receipts and returns them.

        So more can be sent meanwhile, and answers are checked in their order.
        """
        likely = recording.likely_stream_id
        # Under a key of the caller's the service repeats its first answer, whatever has been recorded since.
        seq_no = None if likely is None or key is not None else self.head_of(likely)
        after = None if likely is None or seq_no is None else (likely, seq_no)
        own = str(uuid4()) if key is None else key
        data = yield from self._transport.write_text(recording.path, recording.text, own)

        def read() -> Flow[list[Record]]:
            try:
                return (yield from self._read(recording, data, after))
            except SvcError as error:
                error.idempotency_key = own
                raise

        return read

    def _read(self, recording: Recording, data: bytes, after: tuple[str, int] | None) -> Flow[list[Record]]:
        stream_id, path = recording.stream_id, recording.path
        request = recording.text.encode()
        if recording.is_batch and stream_id is not None:
            good = self._read_batch(stream_id, request, data)
            if good is not None:
                return good
        answer = parse_answer(path, data)
        sent = recording.events(parse_answer(path, request))
        records = _require_count(recording.receipts(answer), len(sent), answer)
        expected = Expected(stream_id=stream_id, after=after, sent=sent, goes_on=True)
        return (yield from self.check(records, expected, answer))

    def _read_batch(self, stream_id: str, request: bytes, data: bytes) -> list[Record] | None:
        """Return the receipts of a batch that continues what is known of its stream, if all of them hold."""
        records = read_recorded(request, data, stream_id, self._trust, self._endorsements)
        if not records:
            return None
        with self._lock:
            if not _continues(records[0], self._known.peek(stream_id)):
                return None
            self._known.note(stream_id, records)
        return records

    def check(self, records: Sequence[Any], expected: Expected, answer: Any) -> Flow[list[Record]]:
        """Return consecutive records if they hold. `answer`: the answer that contains them.

        Raises VerificationError if they do not hold, and the errors of Transport if it has to ask for more.
        """
        first = records[0] if records else None
        named = first.get("stream_id") if isinstance(first, dict) else None
        stream_id = expected.stream_id or (named if isinstance(named, str) else "")
        endorsements = self._endorsements
        shown: list[Any] | None = None
        asked_for_keys = False
        while True:
            with self._lock:
                known = self._known.peek(stream_id)
                gap = _gap_before(first, known) if expected.goes_on and self._gaps == "read" else None
                if gap is None or shown is not None:
                    leading = None if shown is None else _leading_to(first, known, shown)
                    report = self._judge(stream_id, records, expected, leading, known, endorsements, answer)
                    if report.verdict != "untrusted" or self._trust is None or asked_for_keys:
                        self._require(report, records, expected, leading, known, answer)
                        self._endorsements = endorsements
                        if expected.goes_on:
                            self._known.note(stream_id, [*(leading or ()), *records])
                        return list(records)
            if gap is not None and shown is None:
                shown = yield from self._shown(stream_id, *gap)
            else:
                asked_for_keys = True
                endorsements = yield from self._served()

    def check_lifecycle(self, record: Any, event_type: str, answer: Any) -> Flow[None]:
        """Check a record of the tenant's lifecycle stream that came in an answer."""
        checked = yield from self.check([record], Expected(), answer)
        if checked[0]["event_type"] != event_type:
            message = f"A record of {event_type} was due, and one of {checked[0]['event_type']} came."
            raise VerificationError("receipt_mismatch", message, answer)

    def _judge(
        self,
        stream_id: str,
        records: Sequence[Any],
        expected: Expected,
        leading: list[Any] | None,
        known: KnownEvents,
        endorsements: Sequence[Any],
        answer: Any,
    ) -> Report:
        """Return the verifier's report on a run with its neighbours. Raises VerificationError for two histories."""

        def examine(run: Sequence[Any]) -> Report:
            return examine_run(stream_id, run, self._trust, endorsements)

        report = examine(_with_neighbours(records, expected, leading, known))
        for record in records:
            other = known.at(_number_of(record))
            # Somebody between could tell a second history; only the service's key makes it the service's.
            if other is None or other["event_hash"] == record.get("event_hash"):
                continue
            if examine(records).verdict == self.verdict:
                number = other["seq_no"]
                message = (
                    f"The service has handed out two receipts of event {number} of {stream_id}: it has two histories."
                )
                fork = None if self._trust is None else fork_of(record, other, self._trust)
                raise VerificationError("fork_detected", message, answer, report=report, fork=fork)
            break
        return report

    def _require(
        self,
        report: Report,
        records: Sequence[Any],
        expected: Expected,
        leading: list[Any] | None,
        known: KnownEvents,
        answer: Any,
    ) -> None:
        """Raise VerificationError unless a run holds."""
        untruth = (
            _refusal(report, self._trust is not None)
            or (None if leading is None else _late(_with_neighbours(records, expected, leading, known), known))
            or _repeated(records, expected.after)
            or next(filter(None, map(mismatch, expected.sent, records)), None)
        )
        if untruth is not None:
            raise VerificationError(untruth.code, untruth.message, answer, report=untruth.report)

    def _served(self) -> Flow[Sequence[Any]]:
        """Return the endorsements that the service shows: they count because of the pinned key's signature."""
        answer = yield from self._transport.get("/v2/keys")
        endorsements = answer.get("endorsements")
        if not isinstance(endorsements, list):
            return []
        if len(endorsements) <= _MAX_ENDORSEMENTS:
            return endorsements
        message = f"/v2/keys was answered with {len(endorsements)} endorsements."
        raise SvcError("unexpected_answer", message, 200)

    def _shown(self, stream_id: str, start: int, end: int) -> Flow[list[Any]]:
        """Return the events of a gap that the service shows: the verifier names the first missing one."""
        shown: list[Any] = []
        while start + len(shown) <= end:
            following = start + len(shown)
            limit = min(end - following + 1, _MAX_PAGE_ITEMS)
            path = f"/v2/streams/{quote(stream_id, safe='')}/events?from_seq_no={following}&limit={limit}"
            items = (yield from self._transport.get(path)).get("items")
            if not isinstance(items, list) or not items:
                break
            shown += items[:limit]
        return shown


def _gap_before(record: Any, known: KnownEvents) -> tuple[int, int] | None:
    """Return the numbers to read before a record; None if it follows what is known, or if they are too many."""
    number, head = _number_of(record), known.head
    if head is None or number is None or not head + 1 < number <= head + 1 + _MAX_GAP_EVENTS:
        return None
    return head + 1, number - 1


def _continues(record: Record, known: KnownEvents) -> bool:
    """Return whether a record that holds follows the newest one known; any does where nothing is known."""
    if known.head is None:
        return True
    if record["seq_no"] != known.head + 1:
        return False
    newest = known.at(known.head)
    if newest is None:
        return known.head == 0
    is_chained = newest["event_hash"] == record["previous_event_hash"]
    return bool(is_chained and newest["received_at"] <= record["received_at"])


def _leading_to(record: Any, known: KnownEvents, shown: list[Any]) -> list[Any]:
    """Return the newest known record, and the shown records behind it, up to a record."""
    head = min(known.head or 0, (_number_of(record) or 0) - 1)
    newest = known.at(head)
    behind = [one for one in shown if (number := _number_of(one)) is None or number > head]
    return behind if newest is None else [newest, *behind]


def _with_neighbours(
    records: Sequence[Any], expected: Expected, leading: list[Any] | None, known: KnownEvents
) -> list[Any]:
    """Return a run between the records that are known to be before and behind it."""
    run = list(records)
    first, last = (_number_of(run[0]), _number_of(run[-1])) if run else (None, None)
    if leading is None:
        before = expected.before or (None if first is None else known.at(first - 1))
        leading = [] if before is None else [before]
    behind = None if last is None else known.at(last + 1)
    return [*leading, *run, *([] if behind is None else [behind])]


def _refusal(report: Report, is_trusting: bool) -> Untruth | None:
    """Return the verifier's objection to a run."""
    if report.ok or not report.problems or (report.verdict == "untrusted" and not is_trusting):
        return None
    problem = report.problems[0]
    return Untruth(problem.code, problem.message, report)


def _late(run: Sequence[Any], known: KnownEvents) -> Untruth | None:
    """Return the fault of a run that begins late: a stream that was seen empty has no record to begin with."""
    first = run[0]["seq_no"] if run else 1
    if known.head != 0 or first == 1:
        return None
    message = f"Events 1 to {first - 1} are missing: the stream was empty, and the service does not show them."
    return Untruth("range_incomplete", message)


def _repeated(records: Sequence[Any], after: tuple[str, int] | None) -> Untruth | None:
    if not records or after is None:
        return None
    stream_id, seq_no = after
    first = records[0]
    if first["stream_id"] != stream_id or first["seq_no"] > seq_no:
        return None
    message = (
        f"A new event was answered with the receipt of event {first['seq_no']}, "
        f"and event {seq_no} was there before it was sent."
    )
    return Untruth("receipt_repeated", message)


def _require_count(came: Any, count: int, answer: Any) -> list[Any]:
    if not isinstance(came, list):
        raise VerificationError("unexpected_answer", "The answer has no receipts in it.", answer)
    if len(came) == count:
        return came
    code = "range_incomplete" if len(came) < count else "unexpected_answer"
    raise VerificationError(code, f"{count} events were sent, and {len(came)} receipts came.", answer)


def _number_of(record: Any) -> int | None:
    """Return the number of a record that has not been checked yet; None if it has none."""
    number = record.get("seq_no") if isinstance(record, dict) else None
    return number if isinstance(number, int) and not isinstance(number, bool) else None
