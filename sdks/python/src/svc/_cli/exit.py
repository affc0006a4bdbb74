"""The exit codes of protocol section 16, and the one error that means "refused, and this is why"."""

from __future__ import annotations

from typing import Literal

VERIFIED, REJECTED, UNTRUSTED, USAGE, INPUT, INTERNAL = 0, 1, 2, 64, 66, 70
OF_VERDICT = {"verified": VERIFIED, "rejected": REJECTED, "untrusted": UNTRUSTED}
NoVerdict = Literal["unreadable", "no evidence", "not checked"]


class Refusal(Exception):
    """Ends a call without a verdict. `message`: what was wrong and where; `action`: the next step."""

    def __init__(self, code: int, message: str, action: str, outcome: NoVerdict | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.action = action
        # Of a file that was read, or could not be: why it has no verdict.
        self.outcome: NoVerdict = outcome or "unreadable"
        self.prefix = "" if outcome is None else f"{outcome.upper()}: "


def usage(message: str, action: str) -> Refusal:
    """Return the refusal of a wrong call."""
    return Refusal(USAGE, message, action)
