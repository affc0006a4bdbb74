"""What the verifier expects and requires of an object (section 16)."""

from __future__ import annotations

from .._report.examination import Examination, Finding

CHECK = "expectation"
# The kinds of which no requirement is asked.
_WITHOUT_REQUIREMENTS = frozenset(
    {
        "fork",
        "key",
        "envelope",
        "vault-attestation",
        "key-status",
        "provenance-inclusion",
        "provider-result",
        "ivc-epoch",
    }
)
# The kinds about a vault that name no stream: an expected one is not asked of them.
_WITHOUT_STREAM = frozenset({"vault-attestation", "key-status", "provider-result"})


def check_expectations(ex: Examination, path: str = "") -> None:
    """Hold an object against what is expected and required. `path`: that of the whole."""
    if ex.trust.get("expect") is None and not ex.trust.get("require"):
        ex.note(CHECK, "you expect no particular stream or range, and require no particular evidence")
        return
    expect = ex.trust.get("expect", {})
    if ex.kind not in _WITHOUT_STREAM:
        _check_stream(ex, expect.get("stream_id"), path)
        check_range(ex, expect.get("from_seq_no"), expect.get("to_seq_no"), path)
    if ex.kind != "disclosure":
        _check_disclosed(ex, path)
    if ex.kind not in _WITHOUT_REQUIREMENTS:
        for requirement in ex.trust.get("require", ()):
            ex.looked(CHECK)
            message = f"You require evidence that it is {requirement}, and the object does not show it to you."
            if not is_shown(ex, requirement):
                ex.reject(CHECK, Finding("evidence_missing", path, message, requirement))


def _check_stream(ex: Examination, expected: str | None, path: str) -> None:
    if expected is None:
        return
    ex.looked(CHECK)
    actual = ex.subject.stream_id
    message = "This is not evidence of the stream that you expect."
    ex.equal(CHECK, "stream_unexpected", path, expected, actual or "no stream", message)


def covers(own_start: int | None, own_end: int | None, *expected: int | None) -> bool:
    """Say whether both events that are named as ends of the expected range lie in a range; None is not stated."""
    return all(
        end is None or ((own_start is None or own_start <= end) and (own_end is None or end <= own_end))
        for end in expected
    )


def check_range(ex: Examination, start: int | None, end: int | None, path: str) -> None:
    """Hold the range of the object against the expected one; None for no expectation."""
    if start is None and end is None:
        return
    ex.looked(CHECK)
    own_start, own_end = ex.subject.from_seq_no, ex.subject.to_seq_no
    states_range = own_start is not None or own_end is not None
    holds = states_range and covers(own_start, own_end, start, end)
    message = "The object does not cover the range that you expect."
    ex.expect(CHECK, holds, "range_incomplete", path, message)


def _check_disclosed(ex: Examination, path: str) -> None:
    """Hold an object that is no disclosure against what only a disclosure can meet."""
    if not ex.trust.get("expect", {}).keys().isdisjoint(("audience", "nonce", "content_sha256")):
        ex.looked(CHECK)
        message = "Only a disclosure is for a reader or an occasion, or opens a content, as you expect it."
        ex.reject(CHECK, Finding("evidence_missing", path, message))


def is_shown(ex: Examination, requirement: str) -> bool:
    """Return whether the object meets a requirement."""
    shown = ex.shown
    if requirement == "included":
        return shown.included
    if requirement == "witnessed":
        return shown.pinned > 0 and ex.quorum_met
    if requirement == "published":
        return shown.published != "none"
    return shown.anchored == "pinned"
