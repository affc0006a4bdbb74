"""Capsules (section 19): commitments, the places of names, and the way to the root."""

from __future__ import annotations

from typing import Any

from .._generated.limits import VERIFIER
from .._kernel.interface import Kernel
from .._objects.hashing import digest, tagged

FIRST_NAMES = ("content", "context", "output", "policy")
MAX_FURTHER_NAMES: dict[str, int] = VERIFIER["max_further_names"]
MAX_VALUE_DEPTH: int = VERIFIER["max_value_depth"]
MAX_VALUE_BYTES: int = VERIFIER["max_value_bytes"]


def commitment(installation: str, source_ref: str, field: dict[str, Any]) -> str:
    """Return the commitment to a field at its place."""
    members = {name: field[name] for name in ("index", "name", "value", "blind")}
    return digest("commitment", {"installationId": installation, "sourceRef": source_ref, **members})


def index_of(name: str, size: int, slot_salt: str) -> int:
    """Return the only place of a name in a capsule."""
    if name in FIRST_NAMES:
        return FIRST_NAMES.index(name)
    hashed = tagged("slot", bytes.fromhex(slot_salt) + name.encode())
    return 4 + int.from_bytes(hashed[:8], "big") % (size - 4)


def root_of_four(kernel: Kernel, content: dict[str, Any]) -> str | None:
    """Return the root that the first four commitments and the path give; None for a path of another length."""
    path = content["capsulePath"]
    if len(path) != content["capsuleSize"].bit_length() - 3:
        return None
    leaves = kernel.leaf_hashes([bytes.fromhex(content["commitments"][name]) for name in FIRST_NAMES])
    node = kernel.root_from_leaf_hashes(leaves)
    return root_above(node, path)


def root_above(node: bytes, path: list[str]) -> str:
    """Return the root over a node that stands leftmost, by its right-hand siblings."""
    from .._kernel.reference.merkle import node_hash

    for sibling in path:
        node = node_hash(node, bytes.fromhex(sibling))
    return node.hex()
