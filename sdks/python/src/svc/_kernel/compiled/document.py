"""A JSON text that is open in the compiled kernel: its parts, and the columns of its records.

The document is in the instance of one thread until `close`, and nobody else may open one meanwhile.
"""

from __future__ import annotations

import json
import struct
from typing import NamedTuple

from ..._errors import KernelStopped
from .instance import REFUSED
from .kernel import CompiledKernel, raise_fault
from .recipe import Recipe

_CANONICAL = 0x100


class Columns(NamedTuple):
    """What a recipe gave for all records, in order; see `RecordColumns` in packages/core/src/kernel/document.ts."""

    length: int
    regular: bytes
    digests: list[bytes]
    verdicts: list[bytes]
    hashes: list[bytes]
    # Values as canonical JSON, each with a newline behind it.
    literals: list[bytes]
    names: bytes


class Document:
    """An open document: whether it is canonical, and how many arrays and objects are open at its deepest place."""

    def __init__(self, kernel: CompiledKernel, data: bytes) -> None:
        """Open a text. Raises JsonFault, TooLarge."""
        self._instance = kernel.instance()
        form = self._instance.call("document_open", data)
        raise_fault(form, self._instance)
        self.depth = form >> 16
        self.is_canonical = bool(form & _CANONICAL)
        self.data = data if self.is_canonical else self._instance.document()

    def locate(self, *path: str) -> int | None:
        """Return where the value at a path begins in `data`; None for a missing value."""
        steps = [json.dumps(name).encode() for name in path]
        data = struct.pack(f"<{len(steps) + 1}I", len(steps), *map(len, steps)) + b"".join(steps)
        start = self._instance.call("document_locate", data)
        return None if start == REFUSED else start

    def records(self, start: int, recipe: Recipe) -> Columns | None:
        """Return the columns of the array or object that begins there; None where neither does."""
        encoded = recipe.encode()
        parts: list[list[bytes]] = []
        count, at = 0, 0
        while True:
            found = self._instance.call("document_records", encoded, start, at)
            if found == REFUSED:
                return None
            at, columns = _split(self._instance.output(), found, recipe)
            parts.append(columns)
            count += found
            if at == 0:
                break
        joined = [b"".join(column) for column in zip(*parts, strict=True)]
        sizes = (1, len(recipe.digests), len(recipe.signatures), len(recipe.hashes), len(recipe.literals), 1)
        groups, offset = [], 0
        for size in sizes:
            groups.append(joined[offset : offset + size])
            offset += size
        regular, digests, verdicts, hashes, literals, names = groups
        return Columns(count, regular[0], digests, verdicts, hashes, literals, names[0])

    def close(self) -> None:
        """Forget the document."""
        self._instance.run("document_close")
        self._instance.release()


def _split(output: bytes, count: int, recipe: Recipe) -> tuple[int, list[bytes]]:
    """Return the offset of the next record, and the columns of one call."""
    (following,) = struct.unpack_from("<I", output)
    at = 4
    columns = []
    widths = [1, *([32] * len(recipe.digests)), *([1] * len(recipe.signatures)), *([32] * len(recipe.hashes))]
    for width in widths:
        columns.append(output[at : at + width * count])
        at += width * count
    for _ in range(len(recipe.literals) + 1):
        (length,) = struct.unpack_from("<I", output, at)
        columns.append(output[at + 4 : at + 4 + length])
        at += 4 + length
    if at != len(output):
        raise KernelStopped("The compiled kernel answered a recipe in another layout.")
    return following, columns
