"""The report (protocol section 16): one shape from every verifier, in Python frozen dataclasses.

`bool(report)` is `report.ok`, since Python takes every other object for true.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal

from .._errors import VerificationError
from .._generated.checks import CheckId
from .._generated.kinds import Kind

if TYPE_CHECKING:
    from .._words.reader import Reader
    from .history import History

Verdict = Literal["verified", "rejected", "untrusted"]
CheckStatus = Literal["pass", "fail", "not_checked", "cannot_evaluate"]
Published = Literal["none", "included", "witnessed"]
Anchored = Literal["none", "pending", "unpinned", "pinned"]
Reached = Literal["pinned", "endorsed", "none"]


class _Part:
    """A part of a report, which becomes JSON by its members."""

    __slots__ = ()
    # Members that are left out where they are None.
    _optional: frozenset[str] = frozenset()

    def to_dict(self) -> dict[str, Any]:
        """Return the part as a JSON object, with the members that protocol section 16 names."""
        names = [one.name for one in fields(self) if not one.name.startswith("_")]  # type: ignore[arg-type]
        members = {name: getattr(self, name) for name in names}
        return {
            name: _json(value) for name, value in members.items() if value is not None or name not in self._optional
        }


def _json(value: Any) -> Any:
    if isinstance(value, _Part):
        return value.to_dict()
    return [_json(one) for one in value] if isinstance(value, tuple) else value


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject(_Part):
    """What the object is about. Members are None where the object does not state them."""

    id: str | None = None
    stream_id: str | None = None
    from_seq_no: int | None = None
    to_seq_no: int | None = None
    from_received_at: str | None = None
    to_received_at: str | None = None
    origin: str | None = None

    _optional = frozenset({"stream_id", "from_seq_no", "to_seq_no", "from_received_at", "to_received_at", "origin"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Verifier(_Part):
    """Who made the report. `kernel_sha256` is None where no compiled kernel computed."""

    name: str
    version: str
    kernel_sha256: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Witnessed(_Part):
    """Cosignatures of the newest checkpoint: how many were demanded, hold, and are by pinned witnesses."""

    required: int = 0
    valid: int = 0
    pinned: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Provenance(_Part):
    """What is shown of the envelopes of vaults (section 33)."""

    events: int
    installations: int
    vault_chain: Literal["complete", "partial", "none"]
    vault_keys: Literal["pinned", "service-vouched", "none"]
    claimed: dict[str, int]
    effective: dict[str, int]
    substantiated_by: Literal["verifier", "service", "none"]
    key_custody: Literal["x509", "ceremony", "none"]
    software_root: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Assurance(_Part):
    """What the evidence shows, recomputed and never read from the file."""

    signed: bool = False
    included: bool = False
    complete: bool = False
    witnessed: Witnessed = Witnessed()
    published: Published = "none"
    anchored: Anchored = "none"
    redacted: int = 0
    provenance: Provenance | None = None

    _optional = frozenset({"provenance"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Signer(_Part):
    """Who sealed something. Only what `reached` says of a signer counts; a kid is a name that anybody can write."""

    kid: str
    fingerprint: str | None
    role: str
    reached: Reached


@dataclass(frozen=True, kw_only=True, slots=True)
class Check(_Part):
    """One check. `count`: how many things it looked at, None for none."""

    id: CheckId
    status: CheckStatus
    count: int | None = None
    note: str | None = None

    _optional = frozenset({"count", "note"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem(_Part):
    """One problem. `path`: a JSON Pointer into the object, or behind `trust:` into the trust policy."""

    code: str
    path: str
    seq_no: int | None = None
    window_no: int | None = None
    checkpoint_no: int | None = None
    kid: str | None = None
    message: str
    expected: str | None = None
    actual: str | None = None
    action: str

    _optional = frozenset({"seq_no", "window_no", "checkpoint_no", "kid", "expected", "actual"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Report(_Part):
    """The verdict on one object, and why."""

    ok: bool
    verdict: Verdict
    kind: Kind | None
    subject: Subject
    verifier: Verifier
    assurance: Assurance
    signers: tuple[Signer, ...]
    checks: tuple[Check, ...]
    problems: tuple[Problem, ...]
    proves: tuple[str, ...]
    does_not_prove: tuple[str, ...]
    # The call that it answers, for words: the file's name, whom the caller trusts. No verdict depends on it.
    _reader: Reader | None = field(default=None, repr=False, compare=False)
    # What the object shows of the histories of streams, by which files that are verified together are compared.
    _histories: tuple[History, ...] = field(default=(), repr=False, compare=False)

    def __bool__(self) -> bool:
        return self.ok

    def raise_for_verdict(self) -> None:
        """Raise VerificationError unless the verdict is `verified`."""
        if not self.ok:
            raise VerificationError(self)

    def __str__(self) -> str:
        """Return what the command `svc verify` prints."""
        return "\n".join(self._page())

    def _repr_html_(self) -> str:
        """Return the same page for a notebook."""
        from html import escape

        colors = {"good": "#1a7f37", "warn": "#9a6700", "bad": "#cf222e"}
        lines = self._page(lambda tone, text: f"\x00{tone}\x01{text}\x02")
        text = escape("\n".join(lines)).replace("\x02", "</b>")
        for tone, color in colors.items():
            text = text.replace(f"\x00{tone}\x01", f'<b style="color:{color}">')
        return f"<pre>{text}</pre>"

    def _page(self, paint: Callable[[str, str], str] | None = None) -> list[str]:
        from .._words.page import page_of, plain
        from .._words.reader import Reader

        return page_of(self.to_dict(), self._reader or Reader(), paint or plain)
