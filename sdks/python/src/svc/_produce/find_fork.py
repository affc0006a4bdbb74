"""Finds contradictions between two objects, and makes evidence of them (section 11).

It returns the simplest evidence that holds, about the earliest place that shows it. Parts that do not hold convict
nobody.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from .._errors import ProducerError
from .._kernel.canonical import canonicalize
from .._kernel.interface import JsonFault, Kernel
from .._notes.signed_note import parse_note
from .._objects.checkpoint import checkpoint_hash
from .._objects.fork.exclusion import exclude
from .._objects.fork.side import Side
from .._objects.hashing import digest
from .._objects.window import window_hash
from .._trust.policy import kid_of
from .._verify.verify import verify_bytes
from .known_leaves import first_divergence
from .parts import Parts, parts_of, parts_of_note
from .read import kind_of, require_form

Candidate = dict[str, Any]
Value = dict[str, Any]
# So many trees of an object are searched for a divergence: the largest hold all leaves of the others.
_LARGEST = 3
_WITH_DIVERGENCE = frozenset({"checkpoint", "note", "epoch"})


def found(kernel: Kernel, left: bytes, right: bytes, fork_id: str, detected_at: str) -> Value | None:
    """Return evidence that two objects contradict each other; None for none. Raises ProducerError."""
    a, b = _read(kernel, left), _read(kernel, right)
    for search in _SEARCHES:
        for candidate in search(a, b):
            evidence = {
                "fork_id": fork_id,
                "detected_at": detected_at,
                "divergence": None,
                **candidate,
                **{name: keys for name, keys in _keys(a, b, candidate).items() if keys},
            }
            if verify_bytes(canonicalize(evidence), kernel, kind="fork").verdict != "rejected":
                return evidence
    return None


def _read(kernel: Kernel, data: bytes) -> Parts:
    """Return the parts of a side: an object, or the text of a signed note."""
    try:
        text = data.decode()
        if parse_note(text) is not None:
            return parts_of_note(kernel, text)
    except UnicodeDecodeError:
        pass
    try:
        value = kernel.parse(data)
    except JsonFault as fault:
        raise ProducerError(fault.code, f"at byte {fault.offset}") from None
    kind = kind_of(value)
    if kind is None:
        raise ProducerError("unsupported_object", "the side is of no kind that is known here")
    if kind not in _KINDS:
        raise ProducerError("unsupported_object", f"a {kind} is no side")
    require_form(kind, value)
    parts = parts_of(kernel, kind, value)
    assert parts is not None
    return parts


_KINDS = frozenset({"receipt", "stream", "window", "checkpoint", "consistency", "bundle", "portable-receipt", "anchor"})


def _keys(a: Parts, b: Parts, candidate: Candidate) -> Value:
    """Return the keys that come with evidence: its sides', and where these differ all that could relate them."""
    own = [one for one in (*a.hints, *b.hints) if one["kid"] == kid_of(bytes.fromhex(one["public_key_hex"]))]
    hints = list({one["kid"]: one for one in own}.values())
    kids = {_signer(candidate[name]) for name in ("left", "right")}
    if len(kids) == 1 and None not in kids:
        return {"key_hints": [one for one in hints if one["kid"] in kids]}
    both = [*a.endorsements, *b.endorsements]
    endorsements = list({json.dumps(one, sort_keys=True): one for one in both}.values())
    return {"key_hints": hints, "key_endorsements": endorsements}


def _signer(side: Any) -> str | None:
    if isinstance(side, str):
        return None
    seal = side.get("seal") or side.get("receipt")
    return None if seal is None else str(seal["kid"])


def _both_ways(a: Parts, b: Parts) -> tuple[tuple[Parts, Parts], tuple[Parts, Parts]]:
    return (a, b), (b, a)


def _grouped(parts: list[Any], key_of: Callable[[Any], Any]) -> dict[Any, list[Any]]:
    groups: dict[Any, list[Any]] = {}
    for one in parts:
        groups.setdefault(key_of(one), []).append(one)
    return groups


def _place(receipt: Value) -> tuple[str, int]:
    return receipt["stream_id"], receipt["seq_no"]


def _pair(kind: str, left: Any, right: Any, stream: str | None, **more: Any) -> Candidate:
    return {"kind": kind, "stream_id": stream, "left": left, "right": right, **more}


def _heads(a: Parts, b: Parts) -> Iterator[Candidate]:
    there = _grouped(_heads_of(b), lambda one: (one[0], one[1]["stream_id"]))
    for number, one in sorted(_heads_of(a), key=lambda head: head[0]):
        for _, other in there.get((number, one["stream_id"]), ()):
            if one["stream_head_hash"] != other["stream_head_hash"]:
                yield _pair("head", one, other, one["stream_id"])


def _heads_of(parts: Parts) -> list[tuple[int, Value]]:
    return [
        *((one["seq_no"], one) for one in parts.receipts),
        *((one["to_seq_no"], one) for one in (*parts.windows, *parts.checkpoints)),
    ]


def _chains(a: Parts, b: Parts) -> Iterator[Candidate]:
    for earlier, later in _both_ways(a, b):
        there = _grouped(later.receipts, _place)
        for left in earlier.receipts:
            for right in there.get((left["stream_id"], left["seq_no"] + 1), ()):
                if right["previous_event_hash"] != left["event_hash"]:
                    yield _pair("chain", left, right, left["stream_id"])


def _windows(a: Parts, b: Parts) -> Iterator[Candidate]:
    there = _grouped(b.windows, lambda one: (one["stream_id"], one["window_no"]))
    for left in a.windows:
        for right in there.get((left["stream_id"], left["window_no"]), ()):
            if window_hash(left) != window_hash(right):
                yield _pair("window", left, right, left["stream_id"])
    by_stream = _grouped(sorted(b.windows, key=lambda one: one["window_no"]), lambda one: one["stream_id"])
    for left in a.windows:
        others, number = by_stream.get(left["stream_id"], []), left["window_no"]
        before = [one for one in others if one["window_no"] < number][-1:]
        after = [one for one in others if one["window_no"] > number][:1]
        overlapping = [one for one in before if one["to_seq_no"] >= left["from_seq_no"]]
        overlapping += [one for one in after if one["from_seq_no"] <= left["to_seq_no"]]
        for right in overlapping:
            yield _pair("window", left, right, left["stream_id"])


def _leaves(a: Parts, b: Parts) -> Iterator[Candidate]:
    for one, other in _both_ways(a, b):
        there = _grouped(one.receipts, _place)
        for window in other.windows:
            start = window["from_seq_no"]
            numbers = [start + index for index in range(len(window.get("leaves", ())))]
            numbers += [shown["seq_no"] for shown in window.get("inclusions", ())]
            for number in dict.fromkeys(numbers):
                for receipt in there.get((window["stream_id"], number), ()):
                    if exclude("leaf", {}, Side("receipt", receipt, "left"), Side("window", window, "right")):
                        yield _pair("leaf", receipt, window, window["stream_id"])


def _largest(parts: list[Any], size_of: Callable[[Any], int]) -> list[Any]:
    return sorted(parts, key=size_of, reverse=True)[:_LARGEST]


def _checkpoints(a: Parts, b: Parts) -> Iterator[Candidate]:
    def differ(left: Value, right: Value) -> bool:
        return left["stream_id"] == right["stream_id"] and checkpoint_hash(left) != checkpoint_hash(right)

    for left in a.checkpoints:
        for right in b.checkpoints:
            sides = Side("checkpoint", left, "left"), Side("checkpoint", right, "right")
            if differ(left, right) and exclude("checkpoint", {}, *sides):
                yield _pair("checkpoint", left, right, left["stream_id"])

    def size_of(checkpoint: Value) -> int:
        return int(checkpoint["window_count"])

    for left in _largest(a.checkpoints, size_of):
        for right in _largest(b.checkpoints, size_of):
            if differ(left, right):
                trees = [(one["window_count"], one["checkpoint_root"]) for one in (left, right)]
                divergence = first_divergence(a.leaves, trees[0], b.leaves, trees[1])
                if divergence is not None:
                    yield _pair("checkpoint", left, right, left["stream_id"], divergence=divergence)


def _epochs(a: Parts, b: Parts) -> Iterator[Candidate]:
    for left in a.anchors:
        for right in b.anchors:
            trees = [(one["log_size"], one["epoch_root"]) for one in (left, right)]
            if left["origin"] != right["origin"] or trees[0] == trees[1]:
                continue
            if left["epoch_no"] == right["epoch_no"] or left["log_size"] == right["log_size"]:
                yield _pair("epoch", left, right, None)
            divergence = first_divergence(a.leaves, trees[0], b.leaves, trees[1])
            if divergence is not None:
                yield _pair("epoch", left, right, None, divergence=divergence)


def _contradicting(a: Parts, b: Parts) -> Iterator[tuple[Side, Side]]:
    there = _grouped(b.notes, lambda one: (one.size, one.origin))
    for left in a.notes:
        for right in there.get((left.size, left.origin), ()):
            if left.root != right.root:
                yield left, right


def _notes(a: Parts, b: Parts) -> Iterator[Candidate]:
    for left, right in _contradicting(a, b):
        yield _pair("note", left.value, right.value, left.stream)
    for left in _largest(a.notes, lambda one: one.size):
        for right in _largest(b.notes, lambda one: one.size):
            if left.origin == right.origin and left.size != right.size:
                trees = [(one.size, one.root.hex()) for one in (left, right)]
                divergence = first_divergence(a.leaves, trees[0], b.leaves, trees[1])
                if divergence is not None:
                    yield _pair("note", left.value, right.value, left.stream, divergence=divergence)


def _cosigned(a: Parts, b: Parts) -> Iterator[Candidate]:
    for left, right in _contradicting(a, b):
        yield _pair("witness", left.value, right.value, left.stream)


def _omissions(a: Parts, b: Parts) -> Iterator[Candidate]:
    policies = {digest("policy", one): one for one in (*a.policies, *b.policies)}
    for one, other in _both_ways(a, b):
        by_stream = _grouped(sorted(one.receipts, key=lambda own: own["seq_no"]), lambda own: own["stream_id"])
        for checkpoint in other.checkpoints:
            policy, stream = policies.get(checkpoint["policy_digest"]), checkpoint["stream_id"]
            # The first event that it leaves out has waited longest.
            left_out = [own for own in by_stream.get(stream, ()) if own["seq_no"] > checkpoint["to_seq_no"]][:1]
            for receipt in left_out:
                sides = Side("receipt", receipt, "left"), Side("checkpoint", checkpoint, "right")
                if policy is not None and exclude("omission", {"policy": policy}, *sides):
                    yield _pair("omission", receipt, checkpoint, stream, policy=policy)


_SEARCHES = (_heads, _chains, _windows, _leaves, _checkpoints, _epochs, _notes, _cosigned, _omissions)
