"""The fast way to check the receipts of a batch of events: as columns of the answer, beside those of the request.

It has a result only if everything holds. Otherwise the records are examined one by one, which finds the faults and
their places.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from .._errors import KernelStopped
from .._generated.formats import FORMATS
from .._generated.limits import VERIFIER
from .._kernel.compiled.document import Document
from .._kernel.compiled.kernel import CompiledKernel, _integer
from .._kernel.compiled.recipe import Recipe
from .._kernel.interface import JsonFault, TooLarge
from .._kernel.select import kernel_for
from .._objects.bulk_records import _PAYLOADS, _PLAIN, _forms_hold, _hashes_hold, _recipe
from .._objects.travelling_keys import read_keys
from .._report.examination import Examination
from .._schema.formats import pattern
from .._trust.key_ring import KeyRing, Scope
from .._trust.policy import TrustPolicy

# The members of an event that its record repeats.
_GIVEN = (("source_ref",), ("event_type",), ("occurred_at",), ("payload",))
_EVENTS = Recipe(literals=_GIVEN, closed=False)
# The answer, its array and a record are open around a payload.
_MAX_DEPTH: int = VERIFIER["max_payload_depth"] + 3
_SEAL_COLUMNS = 3
# A column of salts: each in quotes, with a line end behind it.
_SALTS = pattern(f'("{FORMATS["salt"]["pattern"]}"\n)*')


def read_recorded(
    request: bytes, answer: bytes, stream_id: str, trust: TrustPolicy | None, endorsements: Sequence[Any]
) -> list[dict[str, Any]] | None:
    """Return the records of an answer if all hold and say what was sent; None otherwise, or where it is unclear.

    If they hold, there is one record for each event, in order, with the event's own members; the records follow one
    another in the stream; and as a run they are `verified`. It does not compare them with any record before them.
    """
    kernel = kernel_for("auto", len(answer))
    if trust is None or not isinstance(kernel, CompiledKernel):
        return None
    reader = Examination(kernel, trust)
    if endorsements:
        read_keys(reader, {"key_endorsements": list(endorsements)})
    if reader.rejections:
        return None
    try:
        given = _given_in(kernel, request)
        return None if given is None else _records_in(kernel, answer, stream_id, reader.keys, given)
    except (JsonFault, TooLarge, KernelStopped):
        return None


def _given_in(kernel: CompiledKernel, request: bytes) -> list[bytes] | None:
    """Return the members of the events in a request, each as a column; None if there is no list of events."""
    document = Document(kernel, request)
    try:
        start = document.locate("events")
        columns = None if start is None else document.records(start, _EVENTS)
        # The elements of an array have no names.
        return None if columns is None or columns.names else columns.literals
    finally:
        document.close()


def _records_in(
    kernel: CompiledKernel, answer: bytes, stream_id: str, ring: KeyRing, given: list[bytes]
) -> list[dict[str, Any]] | None:
    document = Document(kernel, answer)
    try:
        start = document.locate("receipts")
        if start is None or document.depth > _MAX_DEPTH:
            return None
        kids = {*ring.trust.pins, *ring.endorsed}
        receipt = _recipe({kid: key for kid in kids if (key := ring.key(kid)) is not None})
        columns = document.records(
            start,
            receipt._replace(
                digests=(*receipt.digests, *_PAYLOADS.digests),
                literals=(*receipt.literals, *_PAYLOADS.literals, *_GIVEN),
                objects=(*receipt.objects, *_PAYLOADS.objects),
            ),
        )
        if columns is None or columns.length == 0 or columns.names or columns.regular != b"\x01" * columns.length:
            return None
        if columns.verdicts[0] != b"\x01" * columns.length:
            return None
        *own, payloads = columns.digests
        if payloads != columns.hashes[0] or not _hashes_hold(columns._replace(digests=own)):
            return None
        plain_end = len(_PLAIN)
        salts, *repeated = columns.literals[plain_end + _SEAL_COLUMNS :]
        if repeated != given:
            return None
        lines = [column.decode().split("\n")[:-1] for column in columns.literals[: plain_end + _SEAL_COLUMNS]]
        plain: dict[str, list[str]] = dict(zip(_PLAIN, lines[:plain_end], strict=True))
        if not _forms_hold(columns, plain, lines[plain_end:], stream_id):
            return None
        if _SALTS(salts.decode()) is None:
            return None
        if not _is_trusted(ring, stream_id, lines[-1], plain["received_at"]):
            return None
        # A call for each integer costs less here than looking through all hashes for long ones.
        records: list[dict[str, Any]] = json.loads(document.data.decode(), parse_int=_integer)["receipts"]
        return records
    finally:
        document.close()


def _is_trusted(ring: KeyRing, stream_id: str, kids: list[str], times: list[str]) -> bool:
    """Return whether trust reaches every signer of a run, whatever the time at which it signed."""
    for kid in dict.fromkeys(kids):
        reach = ring.reach(kid[1:-1], Scope(stream_id, None))
        earliest = times[kids.index(kid)][1:-1]
        if reach.reached == "none" or reach.valid_to is not None or (reach.valid_from or "") > earliest:
            return False
    return True
