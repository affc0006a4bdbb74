"""What of a report and its reader the sentences depend on: the dimensions of `spec/words.json`."""

from __future__ import annotations

from typing import Any

from .._generated.words import COUNTED, OWN_WITNESS_NOTE
from .reader import Reader
from .text import counted

Report = dict[str, Any]
Values = dict[str, str]
# The sentences ask which of these the first problem is.
_PROBLEMS = frozenset(
    {
        *("key_not_pinned", "key_revoked", "signer_not_for_stream", "key_time_unproven"),
        *("vault_revocation_time_uncertain", "vault_status_stale", "ivc_steps_absent", "known_checkpoint_newer"),
    }
)


def check_of(report: Report, name: str) -> dict[str, Any]:
    """Return a check of a report; an empty one where it is not of its kind."""
    return next((one for one in report["checks"] if one["id"] == name), {})


def holding(report: Report, only: str = "") -> list[tuple[int, str]]:
    """Return what holds: how many, and in words. `only`: a word that the noun has."""
    found = []
    lost = sum(problem["code"] == "payload_hash_mismatch" for problem in report["problems"])
    for row in COUNTED:
        check = check_of(report, row["check"])
        count = check.get("count") or 0
        if check.get("status") == "fail" and row["check"] == "payload_hash":
            count -= lost
        elif check.get("status") != "pass":
            count = 0
        if count > 0 and only in row["one"]:
            found.append((count, counted(count, row["one"], row["many"])))
    return found


def strangers_of(report: Report) -> list[dict[str, Any]]:
    """Return the signers whom no trust reaches, each key once."""
    return [one for one in signers_once(report) if one["reached"] == "none"]


def signers_once(report: Report) -> list[dict[str, Any]]:
    """Return those who signed, each key once: the least trust that reaches it, its fingerprint if any role has it."""
    found: dict[str, dict[str, Any]] = {}
    for one in report["signers"]:
        known = found.setdefault(one["kid"], one)
        if one["reached"] == "none" and (known["reached"] != "none" or known["fingerprint"] is None):
            found[one["kid"]] = one
    return list(found.values())


def is_of_wrong_form(report: Report) -> bool:
    """Return whether a fault of form stopped every later check."""
    return any(one["id"] in ("json", "shape") and one["status"] == "fail" for one in report["checks"])


def _signers(report: Report, reader: Reader) -> str:
    pinned = {pin.get("public_key_hex") for pin in reader.pins()}
    if any(one["fingerprint"] in pinned for one in report["signers"] if one["fingerprint"] is not None):
        return "fingerprint_pinned"
    if not report["signers"]:
        return "none"
    strangers = strangers_of(report)
    if not strangers:
        return "reached"
    told = sum(one["fingerprint"] is not None for one in strangers)
    words = ["strangers" if told > 1 else "stranger" if told else "", "untold" if told < len(strangers) else ""]
    return "_and_".join(filter(None, words))


def _some(is_there: object) -> str:
    return "none" if is_there is None else "some"


def _number(count: int, *listed: int) -> str:
    return str(count) if count in listed else "more"


def _range(subject: dict[str, Any]) -> str:
    start, end = subject.get("from_seq_no"), subject.get("to_seq_no")
    return "none" if end is None else "one_event" if start == end else "up_to" if start is None else "several"


def values_of(report: Report, reader: Reader, only_signatures: bool = False) -> Values:
    """Return the value of each dimension."""
    subject, assurance, problems = report["subject"], report["assurance"], report["problems"]
    witnessed, provenance = assurance["witnessed"], assurance.get("provenance")
    held = sum(count for count, _ in holding(report, "signature" if only_signatures else ""))
    known = check_of(report, "known_checkpoint")
    own = {one.get("kid") for one in reader.pins()}
    first = problems[0] if problems else {}
    values: Values = {
        "kind": report["kind"] or "",
        "verdict": report["verdict"],
        **{name: "true" if assurance[name] else "false" for name in ("signed", "included", "complete")},
        **{name: assurance[name] for name in ("published", "anchored")},
        **{name: _number(witnessed[name], 0) for name in ("required", "valid", "pinned")},
        "own_witness_only": _bool((check_of(report, "witness").get("note") or "").startswith(OWN_WITNESS_NOTE)),
        "provenance": _some(provenance),
        "level_note": _some(check_of(report, "assurance").get("note")),
        "held": _number(held, 0, 1),
        "signatures_held": _bool(bool(holding(report, "signature"))),
        "bundle_seal": "not_checked" if check_of(report, "bundle_seal").get("status", "not_checked") == "not_checked"
        else "pass",
        "trust_status": _trust_status(check_of(report, "trust").get("status")),
        "form_status": "fail" if is_of_wrong_form(report) else "pass",
        "signers": _signers(report, reader),
        "part_reached": _bool(
            any(one["reached"] != "none" and one["role"] not in ("vault", "witness") for one in report["signers"])
        ),
        "from_link": "false",
        "pins": _number(len(own), 0, 1),
        "pin_named": _bool(len(own) == 1 and bool(own & reader.names.keys())),
        "range": _range(subject),
        "stream_id": _some(subject.get("stream_id")),
        "origin": _some(subject.get("origin") or None),
        "received": "some" if subject.get("from_received_at") and subject.get("to_received_at") else "none",
        "known_checkpoints": _known(known),
        "known_in_policy": _bool(bool(remembered(report, reader))),
        "problem": "key_nearly_pinned"
        if slip_in(first)
        else first.get("code", "other")
        if first.get("code") in _PROBLEMS
        else "other",
        "vault_key_unknown": _bool(any(one["code"] == "key_not_pinned" and "kid" not in one for one in problems)),
        "problem_kid": _some(first.get("kid")),
    }  # fmt: skip
    if provenance is not None:
        values |= {name: provenance[name] for name in ("vault_chain", "vault_keys", "substantiated_by", "key_custody")}
        values["installations"] = _number(provenance["installations"], 1)
        values["software_root"] = _bool(provenance["software_root"])
    return values


def _bool(value: bool) -> str:
    return "true" if value else "false"


def _known(check: dict[str, Any]) -> str:
    if check.get("status") != "pass":
        return "0"
    return "part" if check.get("note") else _number(check.get("count") or 0, 0, 1)


def slip_in(problem: dict[str, Any]) -> str:
    """Return the hex digits in which a pinned key differs from the file's; empty if it is not nearly the same."""
    expected, actual = problem.get("expected") or "", problem.get("actual") or ""
    if problem.get("code") != "key_not_pinned":
        return ""
    digits = [str(at + 1) for at, digit in enumerate(expected) if actual[at : at + 1] != digit]
    return f"{'digit' if len(digits) == 1 else 'digits'} {' and '.join(digits)}" if digits else ""


def remembered(report: Report, reader: Reader) -> list[Any]:
    """Return the checkpoints of the object's stream that the reader remembers."""
    known = (reader.trust or {}).get("known_checkpoints", [])
    stream = report["subject"].get("stream_id")
    return [one for one in known if isinstance(one, dict) and stream is not None and one.get("stream_id") == stream]


def windows_of(report: Report) -> int:
    """Return in how many windows the event is, as the step `included` says."""
    return check_of(report, "window_root").get("count") or min(1, check_of(report, "window_seal").get("count") or 0)


def _trust_status(status: str | None) -> str:
    return status if status in ("pass", "cannot_evaluate") else "other"
