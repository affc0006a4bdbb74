"""The sentences about a report: the tables of `spec/words.json`, followed to the letter. Reports come escaped."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from .._generated.kinds import KINDS
from .._generated.words import (
    CHECK_NAMES,
    DETAILS,
    LADDER,
    NEEDS_SIGNED_OBJECT,
    NO_PROOFS_NEEDED_NOTE,
    SEALED_BY,
    SHORTENED,
    TELLING_CHECKS,
    WHAT_HOLDS,
    WHOSE_KEY,
)
from .dimensions import (
    Report,
    Values,
    check_of,
    holding,
    is_of_wrong_form,
    remembered,
    signers_once,
    slip_in,
    strangers_of,
    values_of,
    windows_of,
)
from .reader import Reader
from .text import counted, grouped, grouped_in, in_groups
from .times import stretch_of

SHOWN_KEYS: int = SHORTENED["shown_keys"]
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


class Step(NamedTuple):
    """A step of the ladder. `tone`: `good`, `warn`, or None where nothing is shown."""

    name: str
    mark: str
    tone: str | None
    text: str


def ladder_of(report: Report, reader: Reader) -> list[Step]:
    """Return the ladder of an object that was not rejected."""
    steps = []
    for name in _met(LADDER["steps"], values_of(report, reader)):
        values = values_of(report, reader, only_signatures=name == "signed")
        said = LADDER["said"][name]
        mark = LADDER["marks"][_met(said["marks"], values)[0]]
        text = "; ".join(_filled(clause, report, reader, name) for clause in _met(said["clauses"], values))
        steps.append(Step(name, mark["mark"], mark["tone"], text))
    return steps


def details_of(report: Report, reader: Reader) -> list[str]:
    """Return what the verdict is about, and what was found, for the lines below the object's name."""
    values = values_of(report, reader)
    rules = DETAILS
    if report["verdict"] == "rejected":
        # A rejected object says what it is about, and no more of itself.
        values |= {"verdict": "untrusted", "complete": "false", "received": "none"}
        rules = [one for one in DETAILS if one["text"].startswith(("{range}", "it says that it comes from"))]
    return [_filled(text, report, reader, "details") for text in _met(rules, values)]


def whose_key(report: Report, reader: Reader) -> list[str]:
    """Return what to think of a signer whom no trust reaches, one paragraph for each point."""
    return [_filled(text, report, reader, "whose_key") for text in _met(WHOSE_KEY, values_of(report, reader))]


def what_holds(report: Report, reader: Reader) -> str | None:
    """Return what holds in a rejected object all the same; None where there is nothing to say."""
    said = _met(WHAT_HOLDS, values_of(report, reader))
    return _filled(said[0], report, reader, "what_holds") if said else None


def is_bare(report: Report) -> bool:
    """Return whether an object carries no signature itself."""
    is_sealed = check_of(report, "bundle_seal").get("status", "not_checked") != "not_checked"
    return not is_sealed and report["kind"] in NEEDS_SIGNED_OBJECT


def found(report: Report) -> list[tuple[str, str]]:
    """Return what checks found that no verdict says, each with the name of its check."""
    return _notes(report, is_told=True)


def not_checked(report: Report) -> list[tuple[str, str]]:
    """Return what each check did not look at, in its own words."""
    # The note about levels says what is missing, and is beside them.
    return [
        (name, note)
        for name, note in _notes(report, is_told=False)
        if name != CHECK_NAMES["assurance"] and note != NO_PROOFS_NEEDED_NOTE
    ]


def _notes(report: Report, *, is_told: bool) -> list[tuple[str, str]]:
    if is_of_wrong_form(report):
        return []
    return [
        (CHECK_NAMES[one["id"]], one["note"])
        for one in report["checks"]
        if one.get("note") is not None and _is_telling(one) is is_told
    ]


def _is_telling(check: dict[str, Any]) -> bool:
    name, status = check["id"], check["status"]
    observes = name == "provider" and check["note"].startswith("presented_mismatch_observed")
    # The note on a key is a finding, also where something about the key is open.
    is_made = status in ("pass", "fail") or (name == "vault_key" and status != "not_checked")
    return (name in TELLING_CHECKS or observes) and is_made


def _met(rules: list[Any], values: Values) -> list[str]:
    return [
        rule["text"]
        for rule in rules
        if not rule["when"]
        or any(all(values.get(name, "") in allowed for name, allowed in one.items()) for one in rule["when"])
    ]


def _filled(text: str, report: Report, reader: Reader, place: str) -> str:
    return _PLACEHOLDER.sub(lambda match: _shown(match[1], report, reader, place), text)


def _shown(name: str, report: Report, reader: Reader, place: str) -> str:
    subject, assurance = report["subject"], report["assurance"]
    provenance = assurance.get("provenance") or {}
    if name in ("valid", "pinned", "required"):
        return grouped(assurance["witnessed"][name])
    if name in ("stream_id", "origin"):
        return str(subject[name])
    if name == "installations":
        return grouped(provenance["installations"])
    if name == "held":
        return ", ".join(words for _, words in holding(report, "signature" if place == "signed" else ""))
    if name == "windows":
        known = max((one.get("window_count", 0) for one in remembered(report, reader)), default=0)
        return counted(known if place == "details" else windows_of(report), "window")
    if name == "checkpoints":
        return counted(check_of(report, "checkpoint_root").get("count") or 0, "checkpoint")
    if name == "count":
        return grouped(check_of(report, "known_checkpoint")["count"])
    if name == "this":
        return re.sub("^(an?) ", "this ", KINDS[report["kind"]]["noun"])
    if name == "needed_object":
        return str(NEEDS_SIGNED_OBJECT[report["kind"]])
    if name == "levels":
        return _levels(provenance["effective"])
    if name == "level_note":
        return str(check_of(report, "assurance")["note"])
    if name == "slip":
        return slip_in(report["problems"][0])
    if name == "known_note":
        return str(check_of(report, "known_checkpoint")["note"])
    if name == "range":
        return _range(subject)
    if name == "received":
        return stretch_of(subject["from_received_at"], subject["to_received_at"])
    if name == "sealed_by":
        return _sealed_by(report, reader)
    if name == "fingerprints":
        told = [one["fingerprint"] for one in strangers_of(report) if one["fingerprint"] is not None]
        return ", and ".join(in_groups(one) for one in told[:SHOWN_KEYS])
    if name == "kid":
        untold = [one["kid"] for one in strangers_of(report) if one["fingerprint"] is None]
        return ", ".join(untold[:SHOWN_KEYS])
    if name == "name":
        from .text import escape_text

        return escape_text(reader.names[reader.pins()[0]["kid"]])
    raise KeyError(name)


def _levels(effective: dict[str, int]) -> str:
    counts = [(level, effective[level]) for level in ("L3", "L2", "L1", "L0") if effective[level] > 0]
    if len(counts) > 1:
        return ", ".join(f"{grouped(count)} at {level}" for level, count in counts)
    return counts[0][0] if counts else "L0"


def _range(subject: dict[str, Any]) -> str:
    start, end = subject.get("from_seq_no"), subject["to_seq_no"]
    if start == end:
        return grouped_in(f"event {end}")
    return grouped_in(f"up to event {end}" if start is None else f"events {start} to {end}")


def _sealed_by(report: Report, reader: Reader) -> str:
    signers = signers_once(report)
    provenance = "none" if report["assurance"].get("provenance") is None else "some"
    said = []
    for one in signers[:SHOWN_KEYS]:
        values = {
            "reached": one["reached"],
            "role": "vault" if one["role"] == "vault" else "other",
            "from_link": "false",
            "provenance": provenance,
        }
        text = next(iter(_met(SEALED_BY, values)), "sealed by {key}")
        said.append(text.removeprefix("sealed by ").replace("{key}", reader.name_of(one["kid"])))
    if len(signers) > SHOWN_KEYS:
        said.append(f"{len(signers) - SHOWN_KEYS} more")
    return f"sealed by {', and '.join(said)}"
