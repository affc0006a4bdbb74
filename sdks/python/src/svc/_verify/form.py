"""Faults of form between members: those that the sections name with `malformed`, `missing_member`, `unknown_member`.

They are looked for only where every member has its form by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .._schema.check import Fault

Value = dict[str, Any]


def faults_between(kind: str, schema: str, value: Any) -> list[Fault]:
    """Return the faults between members of a value, whose members have their forms."""
    return list(_FAULTS.get(schema, _FAULTS.get(kind, _none))(value, ""))


def _none(value: Value, path: str) -> Iterable[Fault]:
    return ()


def of_window(window: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of a window."""
    if window["to_seq_no"] < window["from_seq_no"]:
        yield Fault("malformed", f"{path}/to_seq_no", "The window ends before it starts.")


def of_checkpoint(checkpoint: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of a checkpoint."""
    origin, stream = checkpoint["origin"], checkpoint["stream_id"]
    if not origin.endswith(f"/{stream}") or len(origin) == len(stream) + 1:
        yield Fault("malformed", f"{path}/origin", "The origin does not end in / and the stream id.")
    frontier = checkpoint.get("frontier")
    before = checkpoint["window_roots"][0]["window_no"] - 1
    if frontier is not None and len(frontier) != bin(before).count("1"):
        message = f"The frontier of {before} windows has another number of hashes."
        yield Fault("malformed", f"{path}/frontier", message)


def of_consistency(evidence: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of consistency evidence over checkpoints."""
    for name in ("from_checkpoint", "to_checkpoint"):
        yield from of_checkpoint(evidence[name], f"{path}/{name}")


_FAULTS: dict[str, Callable[[Value, str], Iterable[Fault]]] = {
    "window": of_window,
    "checkpoint": of_checkpoint,
    "consistency.json": of_consistency,
}
