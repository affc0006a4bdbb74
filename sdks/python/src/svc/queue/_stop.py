"""The reports of a queue about a failed attempt, and about a stop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .._errors import SvcError as AnyError
from ..client._errors import SvcError


@dataclass(frozen=True, kw_only=True, slots=True)
class QueueStop:
    """Why a queue stopped, and at which events."""

    # The service's code, or that of a QueueError.
    code: str
    # The HTTP status; None if the reason is no answer of the service.
    status: int | None
    message: str
    # Positions of the events at which it stopped: one event, if the service refused its content.
    first: int
    last: int
    events: tuple[Mapping[str, Any], ...] = field(repr=False)
    # Whether an earlier attempt may have recorded them all the same.
    maybe_recorded: bool
    cause: BaseException


@dataclass(frozen=True, kw_only=True, slots=True)
class LastError:
    """Why the last attempt failed. `at`: Unix milliseconds."""

    code: str
    message: str
    at: int


def code_of(error: BaseException) -> str:
    """Return the code of a failure. Any error without one comes from the spool."""
    return error.code if isinstance(error, AnyError) else "spool_failed"


def status_of(error: BaseException) -> int | None:
    """Return the HTTP status of a failure, if it is an answer of the service."""
    return error.status if isinstance(error, SvcError) else None
