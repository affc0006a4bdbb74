"""Whether two sides exclude each other, as each kind of fork evidence says (section 11)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..._report.examination import Examination
from ..._trust.policy import unix_seconds
from ..hashing import ZEROS, digest
from .side import Side

Evidence = dict[str, Any]
_LAST_EVENT = {"receipt": "seq_no", "window": "to_seq_no", "checkpoint": "to_seq_no"}
_PAIRS = {
    "chain": ("receipt", "receipt"),
    "leaf": ("receipt", "window"),
    "window": ("window", "window"),
    "checkpoint": ("checkpoint", "checkpoint"),
    "note": ("note", "note"),
    "epoch": ("anchor", "anchor"),
    "witness": ("note", "note"),
    "omission": ("receipt", "checkpoint"),
}
WITH_DIVERGENCE = frozenset({"checkpoint", "note", "epoch"})


def are_of_kind(kind: str, left: Side, right: Side) -> bool:
    """Return whether the sides are of the types of the kind."""
    if kind == "head":
        return left.type in _LAST_EVENT and right.type in _LAST_EVENT
    return (left.type, right.type) == _PAIRS[kind]


def divergence_holds(ex: Examination, divergence: dict[str, Any], left: Side, right: Side) -> bool:
    """Return whether two inclusions of other leaf data at one place hold in the two trees."""
    index = divergence["index"]
    if index >= min(left.size, right.size) or divergence["left_hash"] == divergence["right_hash"]:
        return False
    for side in (left, right):
        leaf = ex.kernel.leaf_hashes([bytes.fromhex(divergence[f"{side.name}_hash"])])[0]
        path = [bytes.fromhex(one) for one in divergence[f"{side.name}_path"]]
        if not ex.kernel.verify_inclusion(leaf, index, side.size, path, side.root):
            return False
    return True


def exclude(kind: str, evidence: Evidence, left: Side, right: Side) -> bool:
    """Return whether the sides exclude each other without a divergence. They are of the kind's types."""
    return _RULES[kind](evidence, left, right)


def _head(_: Evidence, left: Side, right: Side) -> bool:
    numbers = {side.value[_LAST_EVENT[side.type]] for side in (left, right)}
    same_place = len(numbers) == 1 and left.stream == right.stream
    return same_place and left.value["stream_head_hash"] != right.value["stream_head_hash"]


def _chain(_: Evidence, left: Side, right: Side) -> bool:
    is_next = right.value["seq_no"] == left.value["seq_no"] + 1 and left.stream == right.stream
    return is_next and right.value["previous_event_hash"] != left.value["event_hash"]


def _leaf(_: Evidence, left: Side, right: Side) -> bool:
    receipt, window = left.value, right.value
    at = receipt["seq_no"] - window["from_seq_no"]
    if left.stream != right.stream or at < 0 or receipt["seq_no"] > window["to_seq_no"]:
        return False
    leaves = window.get("leaves", ())
    held = {leaves[at]} if at < len(leaves) else set()
    held |= {one["event_hash"] for one in window.get("inclusions", ()) if one["seq_no"] == receipt["seq_no"]}
    return bool(held) and receipt["event_hash"] not in held


def _window(_: Evidence, left: Side, right: Side) -> bool:
    if left.stream != right.stream:
        return False
    first, second = sorted((left.value, right.value), key=lambda one: one["window_no"])
    if first["window_no"] == second["window_no"]:
        return left.hash != right.hash
    return bool(first["to_seq_no"] >= second["from_seq_no"])


def _checkpoint(_: Evidence, left: Side, right: Side) -> bool:
    a, b = left.value, right.value
    if left.stream != right.stream or left.hash == right.hash:
        return False
    if a["origin"] != b["origin"]:
        return True
    previous = a["previous_checkpoint_hash"]
    if previous == b["previous_checkpoint_hash"] != ZEROS:
        return True
    signs = {_sign(a[name] - b[name]) for name in ("checkpoint_no", "window_count", "to_seq_no")}
    return len(signs) > 1 or signs == {0}


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _note(_: Evidence, left: Side, right: Side) -> bool:
    # A tree of size 0 tells no history, whatever root somebody signs for it.
    return left.size == right.size > 0 and left.root != right.root


def _epoch(_: Evidence, left: Side, right: Side) -> bool:
    if left.origin != right.origin:
        return False
    if left.value["epoch_no"] == right.value["epoch_no"] and left.hash != right.hash:
        return True
    return _note(_, left, right)


def _omission(evidence: Evidence, left: Side, right: Side) -> bool:
    receipt, checkpoint, policy = left.value, right.value, evidence["policy"]
    if left.stream != right.stream or digest("policy", policy) != checkpoint["policy_digest"]:
        return False
    late = _milliseconds(checkpoint["created_at"]) - _milliseconds(receipt["received_at"])
    return bool(checkpoint["to_seq_no"] < receipt["seq_no"] and late > 2000 * policy["window_max_seconds"])


def _milliseconds(time: str) -> int:
    return 1000 * unix_seconds(time) + int(time[20:23])


_RULES: dict[str, Callable[[Evidence, Side, Side], bool]] = {
    "head": _head,
    "chain": _chain,
    "leaf": _leaf,
    "window": _window,
    "checkpoint": _checkpoint,
    "note": lambda evidence, left, right: left.origin == right.origin and _note(evidence, left, right),
    "epoch": _epoch,
    "witness": lambda evidence, left, right: left.origin == right.origin and _note(evidence, left, right),
    "omission": _omission,
}
