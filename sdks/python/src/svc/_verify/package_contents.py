"""The contents of a truth package (section 15): each is unpacked and read once, however often it is examined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .._archive.read import Entry, read_archive, unpack
from .._kernel.interface import JsonFault, Kernel, TooLarge
from .._objects.records import Records
from .._trust.policy import TrustPolicy


class Proof(NamedTuple):
    """A value that should be a bundle. `records`: its records, where they were read in bulk."""

    value: Any
    records: Records | None = None


class BulkProofs(NamedTuple):
    """Bundles that were read in bulk, and whether the table of events is what they give for the ranges asked for."""

    proofs: list[Proof]
    table_holds: bool


class PackageContents:
    """The entries of an archive, and its faults."""

    def __init__(self, data: bytes, kernel: Kernel, *, reads_in_bulk: bool) -> None:
        found, self.faults = read_archive(data)
        self.entries: dict[str, Entry] = {entry.path: entry for entry in found}
        self.reads_in_bulk = reads_in_bulk
        # Whether what was read in bulk says all that there is to say; an examination finds that out.
        self.is_bulk_enough = True
        self._kernel = kernel
        self._bytes: dict[str, bytes | None] = {}
        self._values: dict[str, Any] = {}
        self._bulk: dict[str, BulkProofs | None] = {}

    def bytes_of(self, name: str) -> bytes | None:
        """Return an entry that is as its headers declare; None for any other."""
        if name not in self._bytes:
            content = bytearray()
            is_whole = unpack(self._kernel, self.entries[name], content.extend)
            self._bytes[name] = bytes(content) if is_whole else None
        return self._bytes[name]

    def value_of(self, name: str) -> Any:
        """Return the JSON value of an entry, which is whole. Raises JsonFault, TooLarge."""
        if name not in self._values:
            try:
                self._values[name] = self._kernel.parse(self.bytes_of(name) or b"")
            except (JsonFault, TooLarge) as fault:
                self._values[name] = fault
        value = self._values[name]
        if isinstance(value, (JsonFault, TooLarge)):
            raise value
        return value

    def proofs_in_bulk(
        self, proofs: str, table: str, ranges: Sequence[dict[str, Any]], trust: TrustPolicy
    ) -> BulkProofs | None:
        """Return the bundles of an entry, read in bulk; None where they have to be read as ever."""
        data, events = self.bytes_of(proofs), self.bytes_of(table)
        if not self.reads_in_bulk or data is None or events is None:
            return None
        if proofs not in self._bulk:
            from .bulk_package import read_proofs

            self._bulk[proofs] = read_proofs(data, events, ranges, trust, self._kernel)
        return self._bulk[proofs]
