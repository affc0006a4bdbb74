"""How to reach a service, and whom to trust: checked once, when a client is made."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

from .._generated.limits import CLIENT

VISIBLE_ASCII = re.compile("[!-~]+").fullmatch
# Waits of the operating system are counted in milliseconds of 32 bits.
_MAX_TIMEOUT_SECONDS = (2**31 - 1) / 1000

Gaps = Literal["read", "accept"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """The settings of a client. The key is in no repr."""

    base_url: str
    api_key: str | None = field(default=None, repr=False)
    trust: Mapping[str, Any] | None = field(default=None, repr=False)
    gaps: Gaps = "read"
    timeout_seconds: float = CLIENT["default_timeout_ms"] / 1000
    max_attempts: int = CLIENT["default_max_attempts"]
    # None: 64 MiB, and 512 MiB for an audit pack.
    max_answer_bytes: int | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for what could never be sent, without quoting the key."""
        address = urlsplit(self.base_url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError(f"base_url is no http address: {self.base_url}")
        if self.api_key == "":
            raise ValueError("api_key is empty: set it, or leave it out for what needs no key")
        if self.api_key is not None and VISIBLE_ASCII(self.api_key) is None:
            raise ValueError("api_key holds something else than visible ASCII: a line end that came with it, perhaps")
        _require_range("timeout_seconds", self.timeout_seconds, 0.001, _MAX_TIMEOUT_SECONDS)
        _require_range("max_attempts", self.max_attempts, 1, math.inf)
        if self.max_answer_bytes is not None:
            _require_range("max_answer_bytes", self.max_answer_bytes, 1, math.inf)
        if self.gaps not in ("read", "accept"):
            raise ValueError(f'gaps is "read" or "accept", not {self.gaps!r}')
        object.__setattr__(self, "base_url", self.base_url.rstrip("/"))


def make_settings(
    base_url: str,
    api_key: str | None,
    trust: Mapping[str, Any] | None,
    gaps: Gaps,
    timeout_seconds: float | None,
    max_attempts: int | None,
    max_answer_bytes: int | None,
) -> Settings:
    """Return settings, with the defaults for what is None. Raises ValueError."""
    numbers: dict[str, Any] = {"timeout_seconds": timeout_seconds, "max_attempts": max_attempts}
    given = {name: value for name, value in numbers.items() if value is not None}
    return Settings(
        base_url=base_url, api_key=api_key, trust=trust, gaps=gaps, max_answer_bytes=max_answer_bytes, **given
    )


def _require_range(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        upper = "" if math.isinf(most) else f" to {most:g}"
        raise ValueError(f"{name} is a number from {least:g}{upper}, not {value}")
