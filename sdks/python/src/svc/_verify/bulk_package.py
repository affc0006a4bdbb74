"""The bundles of a large truth package (section 15), each read as columns where it is in `proofs.json`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .._kernel.compiled.kernel import CompiledKernel
from .._kernel.interface import Kernel
from .._objects.bulk_rows import Rows
from .._objects.bundle_text import Place, cut
from .._objects.events_csv import Table
from .._trust.policy import TrustPolicy
from .bulk import OtherText, read_text
from .package_contents import BulkProofs, Proof

# The end of a bundle and the beginning of the next one. With its quotes it cannot be inside of any text, and a guess
# that is wrong all the same leaves parts that are no bundles.
_BETWEEN = b'"}},{"artifacts":{'
_COMMA = 3


def read_proofs(
    data: bytes, events: bytes, ranges: Sequence[dict[str, Any]], trust: TrustPolicy, kernel: Kernel
) -> BulkProofs | None:
    """Return the bundles of `proofs.json`; None where one of them has to be read as ever.

    `events`: the table of events. `ranges`: those of the manifest.
    """
    if not isinstance(kernel, CompiledKernel) or data[:1] != b"[" or data[-1:] != b"]":
        return None
    table = Table(events)
    proofs: list[Proof] = []
    before = ""

    def rows_of(stream: str) -> Rows:
        asked = [(one["from_seq_no"], one["to_seq_no"]) for one in ranges if one["stream_id"] == stream]
        return Rows(table, asked)

    for start, end in _places(data, len(ranges)):
        try:
            found = read_text(cut(data, start, end), "bundle", trust, kernel, rows_of=rows_of)
        except OtherText:
            return None
        if found is None or found[0]["manifest"]["stream_id"] <= before:
            return None
        before = found[0]["manifest"]["stream_id"]
        proofs.append(Proof(*found))
    return BulkProofs(proofs, table.holds())


def _places(data: bytes, most: int) -> Iterator[Place]:
    """Yield where bundles seem to stand, at most so many."""
    start = 1
    for count in range(1, most + 1):
        border = data.find(_BETWEEN, start) if count < most else -1
        if border < 0:
            yield start, len(data) - 1
            return
        yield start, border + _COMMA
        start = border + _COMMA + 1
