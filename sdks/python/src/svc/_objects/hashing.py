"""Tagged hashes and sealed bytes (sections 1, 4 and 17). Each tag is under one word."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from .._kernel.canonical import canonicalize, canonicalize_plain

PROOFSTREAM = "SVC-PROOFSTREAM-001"
PROVENANCE = "SVC-PROVENANCE-001"
ATTESTATION = "SVC-VAULT-ATTESTATION-001"
IVC = "SVC-IVC-RECOMPUTE-001"
ZEROS = "0" * 64

_WORDS = {
    **dict.fromkeys(
        ("payload", "event", "head", "receipt", "policy", "witness-policy", "window", "checkpoint", "epoch", "anchor",
         "key", "bundle", "truth-package"), PROOFSTREAM
    ),
    **dict.fromkeys(
        ("commitment", "slot", "content", "leaf", "envelope", "envelope-start", "disclosure", "provider-policy",
         "key-status"), PROVENANCE
    ),
    **dict.fromkeys(("handover", "record", "result", "evidence", "start"), ATTESTATION),
    **dict.fromkeys(("genesis", "ivc-epoch"), IVC),
}  # fmt: skip


# What is under these tags may hold any JSON; all else is closed, and its shape was checked.
_FREE = frozenset({"payload", "commitment", "evidence", "start"})


def tagged(tag: str, data: bytes) -> bytes:
    """Return H(tag, data); 32 bytes."""
    return sha256(f"{_WORDS[tag]}/{tag}\n".encode() + data).digest()


def digest(tag: str, value: Any) -> str:
    """Return D(tag, value): 64 hex characters."""
    encode = canonicalize if tag in _FREE else canonicalize_plain
    return tagged(tag, encode(value)).hex()


def without(value: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return an object without some members."""
    return {name: member for name, member in value.items() if name not in names}


def sealed_bytes(tag: str, body: dict[str, Any], kid: str) -> bytes:
    """Return what a seal by this key signs over a body."""
    word = _WORDS[tag]
    return f"{word}/{tag}\n".encode() + canonicalize_plain({**body, "protocol": word, "alg": "Ed25519", "kid": kid})
