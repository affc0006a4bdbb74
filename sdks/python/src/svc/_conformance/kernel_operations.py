"""The operations of a kernel: JSON, digests, trees, signatures (levels 1 and 2)."""

from __future__ import annotations

import base64
import re
from hashlib import sha256
from typing import Any

from .._kernel.interface import JsonFault, Kernel, SignatureItem
from .request import Refused, base64_bytes, closed, hex_bytes, items, malformed, size, text

_TAG = re.compile("[!-~]+").fullmatch
_SIGNATURE = ("public_key", "message", "signature")
Answer = dict[str, Any]


def json_canonical(kernel: Kernel, request: Answer) -> Answer:
    """Return the canonical bytes, or the one error and its offset."""
    data = base64_bytes(request["bytes"], "bytes")
    try:
        canonical = kernel.canonical_text(data)
    except JsonFault as fault:
        raise Refused(fault.code, offset=fault.offset) from None
    return {"canonical": base64.b64encode(canonical).decode()}


def digest(kernel: Kernel, request: Answer) -> Answer:
    """Return the tagged hash of the canonical bytes, under the protocol's first word."""
    tag = text(request["tag"], "tag")
    if _TAG(tag) is None:
        raise malformed("tag")
    data = base64_bytes(request["bytes"], "bytes")
    try:
        canonical = kernel.canonical_text(data)
    except JsonFault as fault:
        raise Refused(fault.code) from None
    return {"digest": sha256(f"SVC-PROOFSTREAM-001/{tag}\n".encode() + canonical).hexdigest()}


def ed25519_verify(kernel: Kernel, request: Answer) -> Answer:
    """Return whether one signature verifies."""
    return {"ok": kernel.verify_ed25519([_signature(request, "")])[0]}


def ed25519_batch(kernel: Kernel, request: Answer) -> Answer:
    """Return the indexes of the signatures that do not verify."""
    batch = [
        _signature(closed(one, f"items/{index}", _SIGNATURE), f"items/{index}/")
        for index, one in enumerate(items(request["items"], "items"))
    ]
    bad = [index for index, holds in enumerate(kernel.verify_ed25519(batch)) if not holds]
    return {"ok": not bad, "bad": bad}


def _signature(members: Answer, where: str) -> SignatureItem:
    return SignatureItem(*(hex_bytes(members[name], where + name) for name in _SIGNATURE))


def merkle_root(kernel: Kernel, request: Answer) -> Answer:
    """Return root and frontier over leaf data."""
    leaves = _hashes(request["leaves"], "leaves")
    if not leaves:
        raise Refused("malformed", "a tree without leaves has no root")
    frontier = kernel.append_to_frontier(0, [], kernel.leaf_hashes(leaves))
    return {"root": kernel.root_from_frontier(frontier).hex(), "frontier": [one.hex() for one in frontier]}


def merkle_inclusion(kernel: Kernel, request: Answer) -> Answer:
    """Return whether an inclusion proof holds."""
    leaf = hex_bytes(request["leaf_hash"], "leaf_hash")
    index, tree_size = size(request["leaf_index"], "leaf_index"), size(request["tree_size"], "tree_size")
    path, root = _hashes(request["path"], "path"), hex_bytes(request["root"], "root")
    if not kernel.verify_inclusion(leaf, index, tree_size, path, root):
        raise Refused("inclusion_invalid")
    return {}


def merkle_consistency(kernel: Kernel, request: Answer) -> Answer:
    """Return whether a consistency proof holds."""
    size1, root1 = size(request["size1"], "size1"), hex_bytes(request["root1"], "root1")
    size2, root2 = size(request["size2"], "size2"), hex_bytes(request["root2"], "root2")
    if not kernel.verify_consistency(size1, root1, size2, root2, _hashes(request["path"], "path")):
        raise Refused("consistency_invalid")
    return {}


def _hashes(value: Any, where: str) -> list[bytes]:
    return [hex_bytes(one, f"{where}/{index}") for index, one in enumerate(items(value, where))]
