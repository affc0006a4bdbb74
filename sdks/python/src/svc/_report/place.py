"""The place of a problem (section 16): which event, window, checkpoint and key it is about, as the object states it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._schema.formats import has_format
from .._schema.pointer import step_into, steps


def _is_ordinal(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 2**53 - 1


def _is_kid(value: Any) -> bool:
    return isinstance(value, str) and has_format("kid", value)


_NAMES: dict[str, Callable[[Any], bool]] = {
    "seq_no": _is_ordinal,
    "window_no": _is_ordinal,
    "checkpoint_no": _is_ordinal,
    "kid": _is_kid,
}


def place_of(value: Any, path: str) -> dict[str, Any]:
    """Return the members `seq_no`, `window_no`, `checkpoint_no` and `kid` of a problem at this path of an object."""
    if path.startswith("trust:"):
        return {}
    found: dict[str, Any] = {}
    for one in _way(value, path):
        if isinstance(one, dict):
            for name, has_form in _NAMES.items():
                if name not in found and has_form(one.get(name)):
                    found[name] = one[name]
    return found


def _way(value: Any, path: str) -> list[Any]:
    """Return what the path leads through, from the whole on."""
    whole, way = value, [value]
    names = steps(path)
    for index, name in enumerate(names):
        if name == "payload":
            break
        is_of_event = index == 1 and names[0] == "payloads"
        value = _record(whole, name) if is_of_event else step_into(value, name)
        way.append(value)
    return way


def _record(bundle: Any, event_id: str) -> Any:
    """Return the record of an event of a bundle."""
    records = step_into(step_into(bundle, "artifacts"), "receipts.json")
    for record in records if isinstance(records, list) else ():
        if isinstance(record, dict) and record.get("stream_event_id") == event_id:
            return record
    return None
