"""Recipes of `document_records` as bytes: what the compiled kernel hashes, checks and reads in each record.

The layout is that of `packages/wasm/crates/kernel/src/records/recipe.rs`.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import NamedTuple

Path = tuple[str, ...]
# By name: the path of the value in the record, or a fixed text.
Projection = Mapping[str, Path | str]
_NONE = 0xFFFFFFFF


class Signature(NamedTuple):
    """A signature in every record: what it covers, where it stands, and the keys by the name of a key."""

    prefix: bytes
    members: Projection
    signature: Path
    key: Path
    keys: Mapping[str, bytes]


class Recipe(NamedTuple):
    """What to do with each record; see `RecordRecipe` in packages/core/src/kernel/document.ts."""

    digests: tuple[tuple[bytes, Projection], ...] = ()
    signatures: tuple[Signature, ...] = ()
    hashes: tuple[Path, ...] = ()
    literals: tuple[Path, ...] = ()
    objects: tuple[Path, ...] = ()
    closed: bool = True

    def encode(self) -> bytes:
        """Return the bytes that the kernel reads."""
        return _Encoder(self).encode()


class _Encoder:
    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.fields: dict[Path, int] = {}

    def encode(self) -> bytes:
        recipe = self.recipe
        digests = [self._message(prefix, members) for prefix, members in recipe.digests]
        signatures = [self._signature(one) for one in recipe.signatures]
        lists = [
            [_number(self._field(path)) for path in paths] for paths in (recipe.hashes, recipe.literals, recipe.objects)
        ]
        tree = self._wanted()
        return b"".join(
            (tree, _list(digests), _list(signatures), *(map(_list, lists)), _number(1 if recipe.closed else 0))
        )

    def _field(self, path: Path) -> int:
        return self.fields.setdefault(path, len(self.fields))

    def _message(self, prefix: bytes, members: Projection) -> bytes:
        """Return the pieces of a prefix and J of an object."""
        pieces: list[bytes] = []
        text = prefix + b"{"
        for index, name in enumerate(sorted(members)):
            source = members[name]
            text += (b"," if index else b"") + json.dumps(name).encode() + b":"
            if isinstance(source, str):
                text += json.dumps(source, ensure_ascii=False).encode()
            else:
                pieces += [_number(_NONE) + _text(text), _number(self._field(source))]
                text = b""
        return _list([*pieces, _number(_NONE) + _text(text + b"}")])

    def _signature(self, one: Signature) -> bytes:
        message = self._message(one.prefix, one.members)
        keys = [_text(json.dumps(name).encode()) + key for name, key in one.keys.items()]
        return message + _number(self._field(one.signature)) + _number(self._field(one.key)) + _list(keys)

    def _wanted(self) -> bytes:
        """Return the tree of the members to find, in the order of their names."""
        root: dict[str, dict[str, object]] = {}
        for path in self.fields:
            node: dict[str, dict[str, object]] = root
            for name in path:
                node = node.setdefault(name, {})  # type: ignore[assignment]
        return self._branch(root, ())

    def _branch(self, node: Mapping[str, object], path: Path) -> bytes:
        items = []
        for name in sorted(node):
            own = (*path, name)
            inner = node[name]
            assert isinstance(inner, dict)
            items.append(
                _text(json.dumps(name).encode()) + _number(self.fields.get(own, _NONE)) + self._branch(inner, own)
            )
        return _list(items)


def _number(value: int) -> bytes:
    return struct.pack("<I", value)


def _text(data: bytes) -> bytes:
    return _number(len(data)) + data


def _list(items: list[bytes]) -> bytes:
    return _number(len(items)) + b"".join(items)
