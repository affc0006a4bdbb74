"""JSON Pointers (RFC 6901)."""

from __future__ import annotations

from typing import Any


def below(path: str, *names: str | int) -> str:
    """Return a pointer to a member, or an element, of what the path points to."""
    return path + "".join(f"/{str(name).replace('~', '~0').replace('/', '~1')}" for name in names)


def steps(path: str) -> list[str]:
    """Return the names that a pointer leads through."""
    return [step.replace("~1", "/").replace("~0", "~") for step in path.split("/")[1:]]


def step_into(value: Any, step: str) -> Any:
    """Return a member or an element; None if it is missing."""
    if isinstance(value, dict):
        return value.get(step)
    if isinstance(value, list) and step.isdecimal() and step.isascii() and int(step) < len(value):
        return value[int(step)]
    return None
