"""Large bundles: the records and payloads are read as columns, and everything else as ever.

A bundle in which anything of this does not hold, or which is rejected for anything else, is read record by record.
"""

from __future__ import annotations

from typing import Any

from .._kernel.compiled.document import Document
from .._kernel.compiled.kernel import CompiledKernel
from .._kernel.interface import JsonFault, Kernel, TooLarge
from .._objects.bulk_records import BulkRecords, count_payloads, frame_of, hashes_by_id, read_records
from .._objects.records import RECEIPTS
from .._objects.travelling_keys import read_keys
from .._report.examination import Examination
from .._schema.check import faults_of
from .._trust.policy import TrustPolicy
from .kinds import find_kind, has_provenance

# The codes of a key that trust does not reach, whatever the time: the first record of the key shows it.
_OF_KEYS = frozenset({"key_not_pinned", "key_revoked", "signer_not_for_stream"})


def read_in_bulk(data: bytes, kind: str | None, trust: TrustPolicy, kernel: Kernel) -> tuple[Any, BulkRecords] | None:
    """Return a bundle without most of its records, and these as columns; None where it has to be read as ever."""
    if not isinstance(kernel, CompiledKernel) or kind not in (None, "bundle"):
        return None
    try:
        document = Document(kernel, data)
    except (JsonFault, TooLarge):
        return None
    try:
        return _read(document, kind, trust, kernel)
    finally:
        document.close()


def _read(document: Document, kind: str | None, trust: TrustPolicy, kernel: Kernel) -> tuple[Any, BulkRecords] | None:
    found = frame_of(document)
    if found is None:
        return None
    frame, places = found
    if (kind is None and find_kind(frame) != "bundle") or faults_of("bundle.json", frame) or has_provenance(frame):
        return None
    reader = Examination(kernel, trust)
    read_keys(reader, frame)
    ring = reader.keys
    kids = {*trust.pins, *ring.endorsed, *ring.hints}
    keys = {kid: key for kid in kids if (key := ring.key(kid)) is not None}
    start, end = places["receipts.json"]
    records = read_records(document, start, end, keys, frame["manifest"]["stream_id"])
    if records is None:
        return None
    if "payloads" in places and not count_payloads(
        document, places["payloads"][0], records, hashes_by_id(document, start)
    ):
        return None
    frame["artifacts"]["receipts.json"] = [records.first]
    return frame, records


def is_enough(ex: Examination) -> bool:
    """Return whether an examination in bulk says all that one record by record would say."""
    ex.judge_trust()
    if any(code not in _OF_KEYS for code, _ in ex.distrusts):
        return False
    # Of the records only the first one is here, to say where it is; what columns named says so itself.
    findings = [*ex.rejections, *ex.distrusts.values()]
    at = [finding.path for _, finding, _ in findings if finding.seq_no is None]
    return all(not path.startswith(f"{RECEIPTS}/") or path.startswith(f"{RECEIPTS}/0/") for path in at)
