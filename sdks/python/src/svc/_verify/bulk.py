"""Large bundles: the records and payloads are read as columns, and everything else as ever.

They are read in parts, each by itself, so that little memory is needed and threads can share the work. A bundle in
which anything of this does not hold, or which is rejected for anything else, is read record by record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from typing import Any, TypeVar

from .._generated.limits import VERIFIER
from .._kernel.compiled.document import Columns, Document
from .._kernel.compiled.kernel import CompiledKernel, value_of
from .._kernel.compiled.recipe import Recipe
from .._kernel.interface import JsonFault, Kernel, TooLarge
from .._objects.bulk_records import _PAYLOADS, BulkRecords, _recipe
from .._objects.bulk_rows import Rows
from .._objects.bundle_text import BundleText, Place, cut
from .._objects.records import RECEIPTS
from .._objects.travelling_keys import read_keys
from .._report.examination import Examination
from .._schema.check import faults_of
from .._trust.policy import TrustPolicy
from .kinds import find_kind, has_provenance

# The codes of a key that trust does not reach, whatever the time: the first record of the key shows it.
_OF_KEYS = frozenset({"key_not_pinned", "key_revoked", "signer_not_for_stream"})
# In an object of payloads, a payload stands two levels below the whole.
_MAX_DEPTH: int = VERIFIER["max_payload_depth"] + 2
_T = TypeVar("_T")


class OtherText(Exception):
    """The text is not canonical, or was cut at a wrong place."""


def read_in_bulk(
    data: bytes, kind: str | None, trust: TrustPolicy, kernel: Kernel, jobs: int = 1
) -> tuple[Any, BulkRecords] | None:
    """Return a bundle without most of its records, and these as columns; None where it has to be read as ever.

    `jobs`: how many threads may read.
    """
    if not isinstance(kernel, CompiledKernel) or kind not in (None, "bundle") or b'"receipts.json"' not in data:
        return None
    try:
        return read_text(cut(data), kind, trust, kernel, jobs)
    except OtherText:
        pass
    try:
        canonical = kernel.canonical_text(data)
        return None if canonical is data else read_text(cut(canonical), kind, trust, kernel, jobs)
    except (JsonFault, TooLarge, OtherText):
        return None


def read_text(
    text: BundleText | None,
    kind: str | None,
    trust: TrustPolicy,
    kernel: CompiledKernel,
    jobs: int = 1,
    rows_of: Callable[[str], Rows] | None = None,
) -> tuple[Any, BulkRecords] | None:
    """Return what `read_in_bulk` does of a canonical text. `rows_of`: takes the rows of a stream. Raises OtherText."""
    if text is None:
        raise OtherText
    frame = _frame_of(text, kernel)
    if (kind is None and find_kind(frame) != "bundle") or faults_of("bundle.json", frame) or has_provenance(frame):
        return None
    reader = Examination(kernel, trust)
    read_keys(reader, frame)
    ring = reader.keys
    kids = {*trust.pins, *ring.endorsed, *ring.hints}
    keys = {kid: key for kid in kids if (key := ring.key(kid)) is not None}
    stream = frame["manifest"]["stream_id"]
    records = _records_of(text, stream, keys, kernel, jobs, None if rows_of is None else rows_of(stream))
    if records is None:
        return None
    frame["artifacts"]["receipts.json"] = [records.first]
    return frame, records


def _frame_of(text: BundleText, kernel: CompiledKernel) -> Any:
    """Return the bundle without records and payloads. Raises OtherText unless they stand where they were found."""

    def read(document: Document) -> Any:
        places = (document.locate("artifacts", "receipts.json"), document.locate("payloads"))
        return value_of(document.data) if places == text.places_in_frame() else None

    frame = _with_document(kernel, text.frame(), read)
    if frame is None:
        raise OtherText
    return frame


def _records_of(
    text: BundleText, stream: str, keys: dict[str, bytes], kernel: CompiledKernel, jobs: int, rows: Rows | None
) -> BulkRecords | None:
    try:
        first, last = map(value_of, text.ends())
    except ValueError as fault:
        # The ends are guesses too.
        raise OtherText from fault
    if any(faults_of("redacted-record.json", one) for one in (first, last)):
        return None
    start, end = text.records
    records = BulkRecords(first, last, sha256(memoryview(text.data)[start:end]).hexdigest(), rows)
    recipe = _recipe(keys)
    payloads = _PAYLOADS if rows is None else _PAYLOADS._replace(literals=(*_PAYLOADS.literals, ("payload",)))

    def columns_of(part: tuple[Place, bytes, Recipe]) -> Columns | None:
        place, brackets, how = part
        return _with_document(kernel, text.text_of(place, brackets), lambda document: _columns(document, how))

    parts: list[tuple[Place, bytes, Recipe]] = [
        *((place, b"[]", recipe) for place in text.record_parts()),
        *((place, b"{}", payloads) for place in text.payload_parts()),
    ]
    for (_, brackets, _), columns in zip(parts, _in_threads(columns_of, parts, jobs), strict=True):
        if columns is None:
            return None
        if not (records.add(columns, stream) if brackets == b"[]" else records.add_payloads(columns)):
            return None
    if rows is not None:
        rows.end()
    # A key that nobody told leaves its signatures unchecked, which only the records themselves show.
    return records if records.count and records.kids.keys() <= keys.keys() else None


def _columns(document: Document, recipe: Recipe) -> Columns | None:
    return None if document.depth > _MAX_DEPTH else document.records(0, recipe)


def _with_document(kernel: CompiledKernel, data: bytes, read: Callable[[Document], _T]) -> _T:
    """Return what is read of a canonical text, which is open meanwhile. Raises OtherText."""
    try:
        document = Document(kernel, data)
    except (JsonFault, TooLarge) as fault:
        raise OtherText from fault
    try:
        if not document.is_canonical:
            raise OtherText
        return read(document)
    finally:
        document.close()


def _in_threads(work: Callable[[Any], _T], items: Iterable[Any], jobs: int) -> Iterator[_T]:
    """Yield what a work makes of each item, in order. The compiled kernel lets other threads run meanwhile."""
    if jobs == 1:
        yield from map(work, items)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(work, items)


def is_enough(ex: Examination) -> bool:
    """Return whether an examination in bulk says all that one record by record would say."""
    ex.judge_trust()
    if any(code not in _OF_KEYS for code, _ in ex.distrusts):
        return False
    # Of the records only the first one is here, to say where it is; what columns named says so itself.
    findings = [*ex.rejections, *ex.distrusts.values()]
    at = [finding.path for _, finding, _ in findings if finding.seq_no is None]
    return all(not path.startswith(f"{RECEIPTS}/") or path.startswith(f"{RECEIPTS}/0/") for path in at)
