"""Every operation by its name, with the members of its request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .._kernel.interface import Kernel
from . import evidence_operations as of_evidence
from . import kernel_operations as of_kernel
from . import note_operations as of_notes
from . import producer_operations as produces

Answer = dict[str, Any]


class Operation(NamedTuple):
    """What computes an answer, and the members that a request must and may have beside `id` and `op`."""

    run: Callable[[Kernel, Answer], Answer]
    required: tuple[str, ...]
    optional: tuple[str, ...] = ()


OPERATIONS: dict[str, Operation] = {
    "json.canonical": Operation(of_kernel.json_canonical, ("bytes",)),
    "digest": Operation(of_kernel.digest, ("tag", "bytes")),
    "ed25519.verify": Operation(of_kernel.ed25519_verify, ("public_key", "message", "signature")),
    "ed25519.batch": Operation(of_kernel.ed25519_batch, ("items",)),
    "merkle.root": Operation(of_kernel.merkle_root, ("leaves",)),
    "merkle.inclusion": Operation(of_kernel.merkle_inclusion, ("leaf_hash", "leaf_index", "tree_size", "path", "root")),
    "merkle.consistency": Operation(of_kernel.merkle_consistency, ("size1", "root1", "size2", "root2", "path")),
    "note.open": Operation(of_notes.note_open, ("note", "vkeys")),
    "cosignature.verify": Operation(of_notes.cosignature_verify, ("note", "vkey")),
    "tlog-policy.parse": Operation(of_notes.tlog_policy_parse, ("text",)),
    "archive.check": Operation(of_evidence.archive_check, ("bytes",)),
    "verify": Operation(of_evidence.verify, ("bytes",), ("kind", "trust", "links")),
    "redact": Operation(produces.redact, ("bytes", "seq_nos")),
    "portable-receipt": Operation(produces.portable_receipt, ("bytes", "seq_no")),
    "fork.find": Operation(produces.find_fork, ("left", "right"), ("fork_id", "detected_at")),
}
