"""What the reader of a report brings along; none of it comes from the evidence, and no verdict depends on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Reader:
    """The call whose report is shown."""

    # The name of the file; `-` for bytes that have none.
    file: str = "-"
    # The kind that the call asked for; None where it is found from the bytes.
    kind: str | None = None
    # Further words of the call, which the next one repeats.
    words: tuple[str, ...] = ()
    trust: Mapping[str, Any] | None = None
    trust_file: str | None = None
    # The reader's own names for keys, by kid.
    names: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    # Whether a good verdict comes with everything that can be said of it.
    is_whole: bool = False
    # What evidence of a fork shows that holds, in words; empty for anything else.
    fork: str = ""
    # Where a text that is no JSON breaks off: the sentences about its byte.
    json_fault: tuple[str, ...] = ()

    def pins(self) -> list[Mapping[str, Any]]:
        """Return the pinned signers."""
        signers = (self.trust or {}).get("signers", [])
        return signers if isinstance(signers, list) else []

    def name_of(self, kid: str) -> str:
        """Return the reader's name for a key, with its kid."""
        from .text import escape_text

        return f"{escape_text(self.names[kid])} ({kid})" if kid in self.names else kid
