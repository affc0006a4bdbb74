"""When to send a failed request again: growing pauses with jitter, never shorter than the service asks for."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

from .._generated.limits import CLIENT

_FIRST_PAUSE_SECONDS: float = CLIENT["first_pause_ms"] / 1000
_LONGEST_PAUSE_SECONDS: float = CLIENT["longest_pause_ms"] / 1000
# A longer wait is reported to the caller at once: a service must not be able to stop a program.
MAX_RETRY_AFTER_SECONDS: float = CLIENT["max_retry_after_ms"] / 1000
_DELAY_SECONDS = re.compile("[0-9]{1,9}").fullmatch


def retry_after_seconds(header: str | None, now: datetime) -> float | None:
    """Return how long an answer asks to wait (RFC 9110 section 10.2.3); None for a missing or unreadable header."""
    if header is None:
        return None
    text = header.strip()
    if _DELAY_SECONDS(text) is not None:
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    aware = date if date.tzinfo is not None else date.replace(tzinfo=timezone.utc)
    return max(0.0, (aware - now).total_seconds())


def pause_after(attempt: int, asked: float | None, random: float) -> float:
    """Return the pause after an attempt, counted from 1, in seconds.

    `asked`: what the answer asked for. `random`: from 0 up to 1.
    """
    growing = min(_FIRST_PAUSE_SECONDS * 2.0 ** (attempt - 1), _LONGEST_PAUSE_SECONDS)
    return max(growing * (0.5 + random / 2), asked or 0.0)
