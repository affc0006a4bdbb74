"""The steps of a flow: what an operation asks its driver for, and what it gets.

An operation is a generator that yields steps and does no input or output itself, so that one flow serves Client and
AsyncClient.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Exchange:
    """Send a request once. The driver sends back Answer or NoAnswer."""

    method: str
    path: str
    # One of them may hold a key.
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(default=None, repr=False)
    # The most bytes to read of the answer.
    max_bytes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Begin:
    """Send a request, and read its body later. The driver sends back Begun for `status`, otherwise as for Exchange."""

    # The path contains a ticket.
    path: str = field(repr=False)
    headers: Mapping[str, str]
    status: int
    max_bytes: int


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait for a time. The driver sends back None."""

    seconds: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """An answer. `headers` has lower-case names; `body` is None for one of more than `max_bytes`."""

    status: int
    headers: Mapping[str, str]
    body: bytes | None


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """No answer came, or it broke off, or it came too late."""

    cause: Exception


@dataclass(frozen=True, slots=True)
class Begun:
    """An answer whose body is still to be read, by the driver's own response."""

    response: Any


Step = Exchange | Begin | Pause
Reply = Answer | NoAnswer | Begun | None
Flow = Generator[Step, Reply, T]
